package sight

import (
	"context"
	"time"
)

// Whole reads a file from an offset to its end; zone is that of stamps without
// one. seen is false when nobody sees the file; one that is not there yet is
// seen, and empty. Offsets of marks count from the beginning of the file.
func Whole(ctx context.Context, s Sight, f File, from int64, zone *time.Location) (all Found, seen bool, err error) {
	if s == nil || f.Path == "" {
		return all, false, nil
	}
	scan := &Scan{Zone: zone, offset: from}
	for {
		p, err := s.Look(ctx, f, from)
		if !p.Seen || err != nil {
			return all, false, err
		}
		if p.Next < from+int64(len(p.Data)) { // the file began anew
			scan = &Scan{Zone: zone}
		}
		found := scan.Feed(p.Data)
		all.add(&found)
		if from = p.Next; !p.More {
			return all, true, nil
		}
		if err := ctx.Err(); err != nil {
			return all, false, err
		}
	}
}

// Part reads one piece of a file, at most MaxPiece bytes from an offset.
func Part(ctx context.Context, s Sight, f File, from int64) (found Found, seen bool, err error) {
	p, err := s.Look(ctx, f, from)
	if !p.Seen || err != nil {
		return found, false, err
	}
	scan := &Scan{offset: from}
	return scan.Feed(p.Data), true, nil
}

// Size is where a file ends now; ok is false when nobody sees it.
func Size(ctx context.Context, s Sight, f File) (size int64, ok bool) {
	if s == nil || f.Path == "" {
		return 0, false
	}
	p, err := s.Look(ctx, f, FromEnd)
	return p.Next, err == nil && p.Seen
}
