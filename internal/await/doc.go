// Package await waits for another branch's work: watches, the conditions they
// hold, what one look at the repository sees, and what wakes them.
//
// It stands apart because waiting has rules of its own (armed by observed work,
// no crossing lost between two calls, no verdict from a clock), which neither
// the command line nor the MCP server may bend. It reads the repository and
// writes nothing but the watch's own continuation.
package await
