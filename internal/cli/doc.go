// Package cli is the surface that the three commands share: streams, exit
// statuses, the JSON envelope, error lines, colour, progress, durations,
// signals, argument parsing and shell completion.
//
// It stands apart so that a user meets one behaviour everywhere, and so that
// nothing below it knows about terminals, exit numbers, the environment or the
// parser library. One sub-package per command holds that command's grammar and
// rendering.
package cli
