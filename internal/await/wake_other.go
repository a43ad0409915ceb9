//go:build !linux && !darwin

package await

import (
	"os"
	"time"
)

// identity has nothing to add to size and modification time here.
func identity(os.FileInfo) (uint64, time.Time) { return 0, time.Time{} }

// local is not known here, so no stamp is believed.
func local(string) bool { return false }
