// Package bundle reads the containers in which traces come: files, folders,
// gzip, zstd, zip and tar, judged by content and not by name.
package bundle
