package await

import (
	"syscall"
	"time"
)

func statusChange(stat *syscall.Stat_t) time.Time { return time.Unix(stat.Ctimespec.Unix()) }
