package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/control"
	"ringtrace/internal/drill"
	"ringtrace/internal/exit"
	"ringtrace/internal/plan"
	"ringtrace/internal/sim/daemon"
)

const formAuto = "auto"

// formFlag says which event texts are used; enable, generate and watch share it.
func formFlag() cli.Flag {
	return choiceFlag("form", formAuto, []string{formAuto, plan.FormFounding, plan.FormFlush},
		"`FORM` of the events: founding, flush (the ring survives a fire), or auto: what ringtrace drill proved for this version, else founding")
}

// formOf resolves --form for a database. Where no drill has proved flush, it is
// taken as given, with a warning.
func (rt *runtime) formOf(c *cli.Context, st *station, o *plan.Options) error {
	in, _ := st.place.Instance(st.finder.InstID)
	return rt.resolveForm(c, []string{in.Version}, st.simulated(c.Context), o)
}

// resolveForm is the same for instances of these versions, which all have to be
// proved; none is known of an inventory file.
func (rt *runtime) resolveForm(c *cli.Context, versions []string, simulated bool, o *plan.Options) error {
	proved := plan.FormFounding
	if dir := rt.stateDirPath(); dir != "" && len(versions) > 0 {
		proved = plan.FormFlush
		for _, v := range versions {
			if drill.FormFor(dir, v, simulated) != plan.FormFlush {
				proved = plan.FormFounding
			}
		}
	}
	if o.Form = c.String("form"); o.Form == formAuto {
		o.Form = proved
		if o.Form == plan.FormFlush && (o.Errorstack == plan.NoErrorstack || o.NoRing) {
			o.Form = plan.FormFounding
		}
	} else if o.Form == plan.FormFlush && proved != plan.FormFlush {
		where := "this database"
		if len(versions) > 0 {
			where = "version " + strings.Join(versions, ", ")
		}
		rt.warnf("no drill has proved the form flush for %s; find out with: ringtrace drill", where)
	}
	return o.Validate()
}

// onInstance dials one instance.
func onInstance(dial func(context.Context, int) (control.Conversation, error), inst int) func(context.Context) (control.Conversation, error) {
	return func(ctx context.Context) (control.Conversation, error) { return dial(ctx, inst) }
}

// placesOf asks a simulated instance in a folder how to connect.
func placesOf(client *daemon.Client) (daemon.Places, error) {
	var places daemon.Places
	data, err := client.Do(context.Background(), daemon.Request{Op: "ping"})
	if err == nil {
		err = json.Unmarshal(data, &places)
	}
	if err != nil {
		return places, exit.Errorf(exit.CannotConnect, "start it again: ringtrace sim up --dir "+quoteArg(client.Layout.Dir), "%w", err)
	}
	return places, nil
}

// withoutPasswords drops our password variables from an environment.
func withoutPasswords(environ []string) []string {
	var out []string
	for _, e := range environ {
		if !strings.HasPrefix(e, "RINGTRACE_PASSWORD") {
			out = append(out, e)
		}
	}
	return out
}

// printableWriter makes what a database said harmless for a terminal.
type printableWriter struct{ w io.Writer }

// Write implements io.Writer.
func (p printableWriter) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.w, printable(string(bytes.ToValidUTF8(b, []byte("?"))))); err != nil {
		return 0, err
	}
	return len(b), nil
}
