// Package continuation names and keeps the watches of git await between two
// calls.
//
// It stands apart because it knows nothing of branches and conditions: it is a
// handle (a name that can be typed and that finds its own typing errors) and a
// store of at most 512 short-lived records under those handles. What a record
// says about its watch is an opaque JSON document of package await, which
// decodes it. docs/formats.md describes both formats.
package continuation
