package main

import (
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"ringtrace/internal/exit"
	"ringtrace/internal/quantity"
)

// durationFlag is a flag that takes 90s, 15m, 24h, 7d or a bare number of
// seconds. Read it with durationOf.
func durationFlag(name string, value time.Duration, usage string, aliases ...string) cli.Flag {
	v := quantity.Duration(value)
	return &cli.GenericFlag{Name: name, Aliases: aliases, Value: &v, Usage: usage}
}

// durationOf returns the value of a durationFlag.
func durationOf(c *cli.Context, name string) time.Duration {
	if v, ok := c.Generic(name).(*quantity.Duration); ok {
		return time.Duration(*v)
	}
	return 0
}

// sizeFlag is a flag that takes a number of bytes, or one with k or m (1024,
// 1024²). Read it with sizeOf.
func sizeFlag(name string, bytes int64, usage string, aliases ...string) cli.Flag {
	v := quantity.Size(bytes)
	return &cli.GenericFlag{Name: name, Aliases: aliases, Value: &v, Usage: usage}
}

// sizeOf returns the value of a sizeFlag in bytes.
func sizeOf(c *cli.Context, name string) int64 {
	if v, ok := c.Generic(name).(*quantity.Size); ok {
		return int64(*v)
	}
	return 0
}

// onOff is a switch with two spellings: --name and --no-name. Read it with
// c.Bool(name).
type onOff struct{ *cli.BoolFlag }

func onOffFlag(name string, value bool, usage string) cli.Flag {
	return onOff{&cli.BoolFlag{Name: name, Value: value, Usage: usage}}
}

// choice is one word out of a few.
type choice struct {
	value   string
	choices []string
}

// choiceFlag is a flag that takes one of the given words. Read it with
// c.String(name).
func choiceFlag(name, value string, choices []string, usage string, aliases ...string) cli.Flag {
	return &cli.GenericFlag{Name: name, Aliases: aliases, Value: &choice{value, choices}, Usage: usage}
}

// Set takes one of the choices, in exactly their letters.
func (c *choice) Set(text string) error {
	if !slices.Contains(c.choices, text) {
		return exit.Errorf(exit.Usage, "choose from "+strings.Join(c.choices, ", "), "%q is not one of its words", text)
	}
	c.value = text
	return nil
}

func (c *choice) String() string { return c.value }
