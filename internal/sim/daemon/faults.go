package daemon

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ringtrace/internal/sim/fault"
)

// faultsAtStart orders the faults of the specification.
func (s *Server) faultsAtStart() error {
	for _, text := range s.spec.Faults {
		f, err := fault.Parse(text)
		if err == nil {
			err = s.db.Fault(f)
		}
		if err != nil {
			return fmt.Errorf("--fault %s: %w", text, err)
		}
	}
	return nil
}

// faultOutside takes the simulated sqlplus away, and puts it back.
func (s *Server) faultOutside(f fault.Fault) error {
	if f.Kind != fault.SqlplusMissing {
		return fmt.Errorf("fault %s cannot be ordered here", f.Kind)
	}
	here := filepath.Join(s.layout.Bin(), "sqlplus")
	from, to := here, here+".away"
	if f.Off {
		from, to = to, from
	}
	err := os.Rename(from, to)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // as ordered already
	}
	return err
}
