package spool_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"sync"

	"ringtrace/templates"
)

type writeCounter struct{ text []byte }

func (w *writeCounter) Write(p []byte) (int, error) {
	w.text = append(w.text, p...)
	return len(p), nil
}

func contains(text, part []byte) bool { return bytes.Contains(text, part) }

// heapWatcher throws text away and looks at the live heap now and then.
type heapWatcher struct {
	every, seen int
	base        uint64
	growth      uint64
}

func (h *heapWatcher) begin() { h.base = liveHeap() }

func (h *heapWatcher) Write(p []byte) (int, error) {
	if h.seen += len(p); h.seen >= h.every {
		h.seen = 0
		if now := liveHeap(); now > h.base {
			h.growth = max(h.growth, now-h.base)
		}
	}
	return len(p), nil
}

func liveHeap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// builtinOnce parses the templates once for all tests; they do not change.
var builtinOnce = sync.OnceValues(templates.Builtin)

func sha256Hex(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
