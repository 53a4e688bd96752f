package argv

import "fmt"

// Check tells what in the tree would make a command line ambiguous: a name
// given to two flags of one path, a flag called help, or a verb below which
// one name both takes a value and does not.
func Check(root *Command) error {
	for _, verb := range root.Commands {
		if verb.named("help") {
			return fmt.Errorf("verb %q would hide help", verb.Name)
		}
		takesValue := map[string]bool{}
		for _, p := range (path{root, verb}).paths() {
			if err := checkPath(p, takesValue); err != nil {
				return err
			}
		}
	}
	return nil
}

func checkPath(p path, takesValue map[string]bool) error {
	seen := map[string]*Flag{}
	for _, c := range p {
		for _, f := range c.Flags {
			names := f.Names
			if f.OnOff {
				names = append([]string{"no-" + f.Name()}, names...)
			}
			for _, n := range names {
				if is, _ := help.has(n); is {
					return fmt.Errorf("flag %s of %q would hide help", dashed(n), p.words())
				}
				if other := seen[n]; other != nil && other != f {
					return fmt.Errorf("%q has two flags called %s", p.words(), dashed(n))
				}
				seen[n] = f
				if value, known := takesValue[n]; known && value == f.Bool {
					return fmt.Errorf("%s takes a value in one subcommand of %q and none in another", dashed(n), p[1].Name)
				}
				takesValue[n] = !f.Bool
			}
		}
	}
	return nil
}
