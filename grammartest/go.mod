module ringtrace/grammartest

go 1.26.0

require (
	github.com/antlr4-go/antlr/v4 v4.13.0
	github.com/bytebase/plsql-parser v0.0.0-20240929073008-6b57c2e2525d
	ringtrace v0.0.0
)

require golang.org/x/exp v0.0.0-20230515195305-f3d0a9c9a5cc // indirect

replace ringtrace => ../

replace github.com/antlr4-go/antlr/v4 => github.com/bytebase/antlr/v4 v4.0.0-20231103101006-5fe1a93b199f
