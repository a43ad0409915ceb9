// Package continuity is the root of the git-continuity module: git extensions
// for people who run several coding agents, and themselves, in one repository.
//
// It holds no code of its own, only the tests that guard the module as a
// whole: the scripts under testdata/script and the rules in guard_test.go.
// docs/architecture.md is the map.
package continuity
