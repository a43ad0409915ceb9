package continuation

import (
	"testing"
	"time"
)

// full is a store at its limit.
func full(b *testing.B) (*Store, *clock, []Record) {
	b.Helper()
	s, c := rigged(b)
	return s, c, fill(b, s, c, Limit)
}

func BenchmarkCreateAtTheLimit(b *testing.B) {
	s, c, _ := full(b)
	for b.Loop() {
		c.forward(time.Millisecond)
		create(b, s, 1)
	}
}

func BenchmarkCreateInAnEmptyStore(b *testing.B) {
	s, _ := rigged(b)
	for b.Loop() {
		r := create(b, s, 1)
		b.StopTimer()
		if err := s.Remove(bg, r.Handle); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}

func BenchmarkLoad(b *testing.B) {
	s, _, all := full(b)
	for b.Loop() {
		if _, err := s.Load(bg, all[7].Handle); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSave(b *testing.B) {
	s, _, all := full(b)
	for b.Loop() {
		if err := s.Save(bg, &all[7], nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkList(b *testing.B) {
	s, _, _ := full(b)
	for b.Loop() {
		if list, err := s.List(bg); err != nil || len(list) != Limit {
			b.Fatal(len(list), err)
		}
	}
}
