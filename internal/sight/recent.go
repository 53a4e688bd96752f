package sight

// recent remembers what was asked for lately, in bounded memory: a watch looks at
// the files of a pool for days, and most of them never again. What was neither
// set nor got while maxRecent others were is forgotten.
type recent[V any] struct{ young, old map[string]V }

// maxRecent is more files than one run looks at in turn.
const maxRecent = 4096

func (r *recent[V]) get(key string) (V, bool) {
	v, ok := r.young[key]
	if !ok {
		if v, ok = r.old[key]; ok {
			r.set(key, v)
		}
	}
	return v, ok
}

func (r *recent[V]) set(key string, v V) {
	if _, there := r.young[key]; !there && len(r.young) >= maxRecent {
		r.old, r.young = r.young, nil
	}
	if r.young == nil {
		r.young = map[string]V{}
	}
	r.young[key] = v
}
