//go:build !unix

package gitx_test

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
