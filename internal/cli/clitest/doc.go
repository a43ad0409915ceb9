// Package clitest holds what the commands print against what their documents
// promise: JSON against its schema, help pages and manual pages against the
// grammar.
//
// It stands apart because all three commands are tested with it, and because
// nothing but tests may link a schema validator.
package clitest
