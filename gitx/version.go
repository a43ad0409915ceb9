package gitx

import (
	"fmt"
	"strconv"
	"strings"
)

// Floor is the oldest git that this package works with.
const Floor = "2.39.4"

// parseVersion takes the number out of the answer of `git version`, for example
// "2.39.5" out of "git version 2.39.5 (Apple Git-154)".
func parseVersion(answer string) (string, error) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(answer), "git version ")
	number, _, _ := strings.Cut(rest, " ")
	if !ok || number == "" || number[0] < '0' || number[0] > '9' {
		return "", fmt.Errorf("read the answer of git version: %q", answer)
	}
	return number, nil
}

// atLeast compares versions by their leading numbers. What is no number ends
// the comparison as a zero: "2.47.GIT" and "2.47.0-rc1" count as 2.47.0.
func atLeast(version, floor string) bool {
	have, want := versionNumbers(version), versionNumbers(floor)
	for i := range want {
		if have[i] != want[i] {
			return have[i] > want[i]
		}
	}
	return true
}

// versionNumbers returns the first three numbers of a version.
func versionNumbers(version string) (numbers [3]int) {
	for i, part := range strings.SplitN(version, ".", len(numbers)+1) {
		if i == len(numbers) {
			break
		}
		digits := part
		if end := strings.IndexFunc(part, func(c rune) bool { return c < '0' || c > '9' }); end >= 0 {
			digits = part[:end]
		}
		n, err := strconv.Atoi(digits)
		if err != nil {
			break
		}
		numbers[i] = n
		if digits != part {
			break
		}
	}
	return numbers
}
