// Package bundle reads and writes the containers in which traces come: files, folders,
// gzip, zstd, zip and tar, judged by content and not by name. A bundle of
// `collect` is one of them with a manifest; Verify compares the two.
package bundle
