package spool

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"

	"ringtrace/internal/plan"
)

type writer = io.Writer

// renderSigned renders a script twice: once to learn the checksum of all lines
// after the checksum line, then for good. So it streams into any writer and
// memory stays flat.
func renderSigned(ctx context.Context, w io.Writer, r renderer, f scriptFile, s *plan.Script) error {
	s.Checksum = ""
	body := &bodyHash{ctx: ctx, sum: sha256.New()}
	if err := r.render(body, f, s); err != nil {
		return err
	}
	if body.begun {
		s.Checksum = hex.EncodeToString(body.sum.Sum(nil))
	}
	return r.render(w, f, s)
}

// bodyHash hashes what follows the line that starts with plan.ChecksumPrefix.
type bodyHash struct {
	ctx   context.Context
	sum   hash.Hash
	head  []byte
	begun bool
}

func (b *bodyHash) Write(p []byte) (int, error) {
	if err := b.ctx.Err(); err != nil {
		return 0, err
	}
	if b.begun {
		return b.sum.Write(p)
	}
	b.head = append(b.head, p...)
	if after, ok := afterChecksumLine(b.head); ok {
		b.begun = true
		b.sum.Write(after)
		b.head = nil
	} else if len(b.head) > maxHead {
		// No checksum line at the top: the script has none.
		b.head = b.head[:0]
	}
	return len(p), nil
}

// maxHead bounds what is kept while looking for the checksum line, in bytes.
const maxHead = 1 << 20

func afterChecksumLine(text []byte) ([]byte, bool) {
	prefix := []byte(plan.ChecksumPrefix)
	at := 0
	if !bytes.HasPrefix(text, prefix) {
		i := bytes.Index(text, append([]byte{'\n'}, prefix...))
		if i < 0 {
			return nil, false
		}
		at = i + 1
	}
	end := bytes.IndexByte(text[at:], '\n')
	if end < 0 {
		return nil, false
	}
	return text[at+end+1:], true
}

// VerifyChecksum says whether a script's checksum line fits the lines after
// it. found is false if there is no checksum line.
func VerifyChecksum(script []byte) (found, ok bool) {
	after, found := afterChecksumLine(script)
	if !found {
		return false, false
	}
	line := script[:len(script)-len(after)]
	line = line[bytes.LastIndex(line, []byte(plan.ChecksumPrefix))+len(plan.ChecksumPrefix):]
	sum := sha256.Sum256(after)
	return true, bytes.HasPrefix(line, []byte(hex.EncodeToString(sum[:])))
}
