package main

import (
	"encoding/json"
	"fmt"

	"ringtrace/internal/bundle"
	"ringtrace/internal/collect"
	"ringtrace/internal/estimate"
	"ringtrace/internal/report"
)

// estimateRecords is the folder below the state directory that holds what
// enable estimated for each campaign.
const estimateRecords = "estimate"

// addEstimate adds what enable told to the documents of a bundle, if anything
// is kept of the campaign.
func (rt *runtime) addEstimate(o *collect.Options) error {
	var r estimate.Result
	if !rt.readRecord(estimateRecords, o.Campaign.Header.Campaign, &r) {
		return nil
	}
	text, err := json.MarshalIndent(&r, "", "  ")
	if err != nil {
		return fmt.Errorf("write %s: %w", bundle.EstimateName, err)
	}
	o.Documents = append(o.Documents, collect.Document{Name: bundle.EstimateName, Data: append(text, '\n')})
	return nil
}

// addEstimateSection draws the chart of an estimate.json into a report. A file
// that does not read as an estimate is left out: the bundle may come from
// anybody.
func addEstimateSection(m *report.Model, text []byte) {
	var r estimate.Result
	if len(text) == 0 || json.Unmarshal(text, &r) != nil || len(r.Sessions) == 0 {
		return
	}
	html, err := r.Section()
	if err != nil {
		return
	}
	m.Sections = append(m.Sections, report.Section{ID: "estimate", Title: "Estimate before arming", HTML: html})
}
