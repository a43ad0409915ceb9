// Package awaitcmd is the command line of git await: its grammar, its help
// pages, how each verb is run, and how answers are shown to people and in JSON.
//
// It stands apart so that package await knows conditions and watches but no
// flags, and so that what a user can type is read in one place.
package awaitcmd
