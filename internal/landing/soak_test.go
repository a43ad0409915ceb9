package landing_test

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"git-continuity/gitx/gitxtest"
	"git-continuity/internal/landing"
)

var (
	soak     = flag.Int("soak", 20, "how many random histories TestSoakHistories judges")
	soakSeed = flag.Uint64("soak-seed", 1, "the seed of the first of them")
)

// perRepository is how many histories share a repository.
const perRepository = 100

// A tally counts verdicts by what is true.
type tally map[string]int

// TestSoakHistories judges random histories and compares each verdict with what
// the model knows: no work may be taken for landed that is not there. What is
// there and was not found is counted.
func TestSoakHistories(t *testing.T) {
	counts := tally{}
	for done := 0; done < *soak; done += perRepository {
		repo := gitxtest.New(t, gitxtest.Options{Bare: true})
		l := &loose{t: t, objects: filepath.Join(repo.Dir, "objects")}
		opened := repo.Open()
		judge, sifting := newJudge(t, opened), newJudge(t, opened)
		landing.SiftAlways(sifting)
		for i := done; i < min(done+perRepository, *soak); i++ {
			seed := *soakSeed + uint64(i)
			h := newHistory(l, rand.New(rand.NewPCG(seed, 0)))
			h.check(judge, sifting, fmt.Sprintf("seed %d", seed), counts)
			if t.Failed() {
				t.FailNow()
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%-40s %6d", name, counts[name])
	}
	if counts["there: found by content"] == 0 || counts["not there: not_in_trunk"] == 0 {
		t.Error("the histories prove nothing")
	}
}

// check judges some tips at some positions of the trunk, in their order, so that
// the judge's memory is judged too. One that sifts must find the same landings; it
// need not see a conflict where it sees that the work is not there.
func (h *history) check(judge, sifting *landing.Judge, name string, counts tally) {
	h.rng.Shuffle(len(h.judged), func(i, j int) { h.judged[i], h.judged[j] = h.judged[j], h.judged[i] })
	for _, tip := range h.judged[:min(3, len(h.judged))] {
		for i, trunk := range h.past {
			if i < len(h.past)-1 && h.rng.IntN(len(h.past)) > 0 {
				continue
			}
			v, err := judge.Landed(context.Background(), tip.oid, trunk.oid)
			if err != nil {
				h.t.Fatalf("%s: %v", name, err)
			}
			sifted, err := sifting.Landed(context.Background(), tip.oid, trunk.oid)
			if err != nil || sifted != v && (v.Reason != landing.Conflict || sifted != not(landing.NotInTrunk)) {
				h.t.Errorf("%s: tip %s, trunk %s: %+v; sifted %+v, %v", name, tip.oid, trunk.oid, v, sifted, err)
			}
			h.compare(fmt.Sprintf("%s: tip %s, trunk %s", name, tip.oid, trunk.oid), tip, trunk, v, counts)
		}
	}
}

// compare holds a verdict against the truth.
func (h *history) compare(name string, tip, trunk *node, v landing.Verdict, counts tally) {
	if trunk.reach[tip] || v.Via == landing.Ancestor {
		if !trunk.reach[tip] || v != (landing.Verdict{Landed: true, Via: landing.Ancestor}) {
			h.t.Errorf("%s: %+v; by history landed is %v", name, v, trunk.reach[tip])
		}
		counts["there: found by history"]++
		return
	}
	base := bases(tip, trunk)
	if len(base) != 1 {
		counts["several bases: "+string(v.Reason)]++
		if v != not(landing.SeveralBases) {
			h.t.Errorf("%s: %+v with %d merge bases", name, v, len(base))
		}
		return
	}
	work := changeOf(base[0].tree, tip.tree)
	var holders []*node
	for n := trunk; !tip.reach[n]; n = n.parents[0] {
		if work.in(n.tree) {
			holders = append(holders, n)
		}
	}
	there := len(holders) > 0 && !work.empty()
	switch {
	case v.Landed && !there:
		h.t.Errorf("%s: a wrong landing: %+v", name, v)
	case v.Landed && !slices.ContainsFunc(holders, func(n *node) bool { return n.oid == v.LandedAs }):
		h.t.Errorf("%s: landed as %s, which does not hold the work", name, v.LandedAs)
	case v.Undone && work.in(trunk.tree):
		h.t.Errorf("%s: undone, but the trunk holds the work", name)
	case v.Landed:
		counts["there: found by content"]++
		if v.Undone {
			counts["there once: found undone"]++
		}
	case there:
		counts["there: missed, "+string(v.Reason)]++
		if v.Reason == landing.NotInTrunk {
			h.t.Logf("%s: held by %s, and not found", name, holders[0].oid)
		}
	default:
		counts["not there: "+string(v.Reason)]++
	}
}
