package continuity_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// cpuOf returns the processor time that a process and its children have used.
func cpuOf(pid int) time.Duration {
	total := ranFor(pid)
	for _, child := range childrenOf(pid) {
		total += ranFor(child)
	}
	return total
}

// ranFor reads the scheduler's own figure, which is in nanoseconds.
func ranFor(pid int) time.Duration {
	var total time.Duration
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/schedstat", pid))
	for _, task := range tasks {
		data, err := os.ReadFile(task)
		if err != nil {
			continue
		}
		if fields := strings.Fields(string(data)); len(fields) > 0 {
			ns, _ := strconv.ParseInt(fields[0], 10, 64)
			total += time.Duration(ns)
		}
	}
	return total
}

func childrenOf(pid int) []int {
	var children []int
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		data, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(data)) {
			if child, err := strconv.Atoi(field); err == nil {
				children = append(children, child)
			}
		}
	}
	return children
}

// memoryOf tells resident and private memory of a process and of its children.
func memoryOf(pid int) string {
	text := "waiter " + smaps(pid)
	for _, child := range childrenOf(pid) {
		text += ", its git " + smaps(child)
	}
	return text
}

func smaps(pid int) string {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return "unknown"
	}
	kilobytes := map[string]int{}
	for line := range strings.Lines(string(data)) {
		if fields := strings.Fields(line); len(fields) == 3 {
			n, _ := strconv.Atoi(fields[1])
			kilobytes[strings.TrimSuffix(fields[0], ":")] += n
		}
	}
	private := kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]
	return fmt.Sprintf("%.1f MB resident, %.1f MB private", float64(kilobytes["Rss"])/1024, float64(private)/1024)
}
