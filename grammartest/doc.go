// Package grammartest checks ringtrace's SQL with an Oracle grammar that is not
// ours: github.com/bytebase/plsql-parser (Apache-2.0, generated from ANTLR's
// grammars-v4). It is a module of its own, because that parser takes minutes
// and about 5 GB to build; `make lint-full` runs it.
package grammartest
