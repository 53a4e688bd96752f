package bundle

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"ringtrace/internal/exit"
)

// Format is how a bundle is packed.
type Format string

// The formats, named by the ending that chooses them.
const (
	Zip    Format = "zip"
	TarGz  Format = "tar.gz"
	TarZst Format = "tar.zst"
)

// FormatOf returns the format that the ending of a file's name asks for.
func FormatOf(name string) (Format, error) {
	lower := strings.ToLower(name)
	for _, f := range []Format{Zip, TarGz, TarZst} {
		if strings.HasSuffix(lower, "."+string(f)) {
			return f, nil
		}
	}
	if strings.HasSuffix(lower, ".tgz") {
		return TarGz, nil
	}
	return "", exit.Errorf(exit.Usage, "end the name in .zip, .tar.gz or .tar.zst", "%s: its ending names no format of a bundle", name)
}

// compressor packs one chunk of a stream. The chunks of one stream, one after
// the other, must be a stream of the format; last marks its end.
type compressor func(chunk []byte, last bool) ([]byte, error)

// Chunks are packed independently, so that both cores work and memory stays
// bounded. They are long enough that the ratio does not suffer.
const (
	zstdChunk  = 2 << 20
	flateChunk = 1 << 20
)

// newZstd returns a compressor whose chunks are frames.
func newZstd() (compressor, error) {
	// On SQL trace the fastest level packs as small as the next and takes two thirds of its time.
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(zstdChunk), zstd.WithEncoderCRC(true))
	if err != nil {
		return nil, fmt.Errorf("start zstd: %w", err)
	}
	return func(chunk []byte, _ bool) ([]byte, error) {
		if len(chunk) == 0 {
			return nil, nil
		}
		return z.EncodeAll(chunk, make([]byte, 0, len(chunk)/4)), nil
	}, nil
}

// newGzip returns a compressor whose chunks are gzip members.
func newGzip() (compressor, error) {
	z := gzip.NewWriter(io.Discard)
	return func(chunk []byte, _ bool) ([]byte, error) {
		if len(chunk) == 0 {
			return nil, nil
		}
		var out bytes.Buffer
		z.Reset(&out)
		if _, err := z.Write(chunk); err != nil {
			return nil, err
		}
		err := z.Close()
		return out.Bytes(), err
	}, nil
}

// newDeflate returns a compressor whose chunks end on a byte, as a sync flush
// leaves them, and whose last chunk ends the stream.
func newDeflate() (compressor, error) {
	z, err := flate.NewWriter(io.Discard, flate.DefaultCompression)
	if err != nil {
		return nil, fmt.Errorf("start deflate: %w", err)
	}
	return func(chunk []byte, last bool) ([]byte, error) {
		var out bytes.Buffer
		z.Reset(&out)
		if _, err := z.Write(chunk); err != nil {
			return nil, err
		}
		if last {
			err := z.Close()
			return out.Bytes(), err
		}
		err := z.Flush()
		return out.Bytes(), err
	}, nil
}
