//go:build unix && !linux

package adminstate

import (
	"os"
	"testing"
)

// bindPermissions skips the tests in which permissions must bind this user.
func bindPermissions(t *testing.T, _ string) func() {
	if os.Geteuid() == 0 {
		t.Skip("permissions do not bind root; TestFileInPlaceOfAFolder covers the refusal")
	}
	return func() {}
}
