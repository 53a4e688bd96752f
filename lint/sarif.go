package lint

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"ringtrace/internal/jsontext"
)

// SARIF 2.1.0, the parts that we fill (OASIS standard, sections 3.13 to 3.50).
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string      `json:"id"`
		Name    string      `json:"name"`
		Short   sarifText   `json:"shortDescription"`
		Full    sarifText   `json:"fullDescription"`
		Help    sarifText   `json:"help"`
		Default sarifConfig `json:"defaultConfiguration"`
	}
	sarifConfig struct {
		Level string `json:"level"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
	}
)

func sarifLevel(s Severity) string {
	if s == Info {
		return "note"
	}
	return s.String()
}

// WriteSARIF prints the results as a SARIF 2.1.0 log with the rule table.
func WriteSARIF(w io.Writer, results []Result, version string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "ringtrace", Version: version}
	index := map[string]int{}
	for i, r := range ruleTable {
		index[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.ID, Name: r.Name, Short: sarifText{r.Summary}, Full: sarifText{r.Why},
			Help: sarifText{r.Fix}, Default: sarifConfig{sarifLevel(r.Severity)},
		})
	}
	for i := range results {
		for k := range results[i].Findings {
			f := &results[i].Findings[k]
			run.Results = append(run.Results, sarifResult{
				RuleID: f.Rule, RuleIndex: index[f.Rule], Level: sarifLevel(f.Severity),
				Message: sarifText{f.Message + ". " + f.Fix},
				Locations: []sarifLocation{{sarifPhysical{
					Artifact: sarifArtifact{URI: fileURI(results[i].Path)},
					Region:   sarifRegion{StartLine: f.Line, StartColumn: f.Column},
				}}},
			})
		}
	}
	enc := json.NewEncoder(jsontext.Writer(w))
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{
		Schema: "https://json.schemastore.org/sarif-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{run},
	})
}

// fileURI writes a path as the URI reference that SARIF wants; an absolute
// path becomes a file: URI.
func fileURI(path string) string {
	if path == "-" {
		return "stdin"
	}
	p := filepath.ToSlash(path)
	if strings.HasPrefix(p, "/") {
		return (&url.URL{Scheme: "file", Path: p}).String()
	}
	return (&url.URL{Path: p}).String()
}
