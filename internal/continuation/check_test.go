package continuation

import (
	"math/rand/v2"
	"testing"
)

// places are the indices of the ten symbols in the wire form.
var places = [10]int{3, 4, 5, 6, 8, 9, 10, 11, 13, 14}

func refused(t *testing.T, text []byte, from Handle) {
	t.Helper()
	if h, err := Parse(string(text)); err == nil {
		t.Fatalf("%s, an error away from %s, was taken for %s", text, from, h)
	}
}

func TestEverySingleSubstitutionIsFound(t *testing.T) {
	random := seeded(3)
	for range 200 {
		h := mustNew(t, random)
		text := []byte(h.String())
		for _, p := range places {
			right := text[p]
			for i := range len(alphabet) {
				if alphabet[i] != right {
					text[p] = alphabet[i]
					refused(t, text, h)
				}
			}
			text[p] = right
		}
	}
}

func TestEverySwapIsFound(t *testing.T) {
	random := seeded(4)
	swaps := 0
	for range 1500 {
		h := mustNew(t, random)
		text := []byte(h.String())
		for i, p := range places {
			for _, q := range places[i+1:] {
				if text[p] == text[q] {
					continue
				}
				text[p], text[q] = text[q], text[p]
				refused(t, text, h)
				text[p], text[q] = text[q], text[p]
				swaps++
			}
		}
	}
	if swaps < 60000 {
		t.Errorf("tried only %d swaps", swaps)
	}
}

func TestEveryDoubleSubstitutionIsFound(t *testing.T) {
	random := seeded(5)
	handles := []Handle{encode([dataLen]byte{}), mustNew(t, random), mustNew(t, random)}
	for _, h := range handles {
		text := []byte(h.String())
		for i, p := range places {
			for _, q := range places[i+1:] {
				everyPair(t, text, p, q, h)
			}
		}
	}
}

func everyPair(t *testing.T, text []byte, p, q int, h Handle) {
	t.Helper()
	rightP, rightQ := text[p], text[q]
	for i := range len(alphabet) {
		for j := range len(alphabet) {
			if alphabet[i] == rightP || alphabet[j] == rightQ {
				continue
			}
			text[p], text[q] = alphabet[i], alphabet[j]
			refused(t, text, h)
		}
	}
	text[p], text[q] = rightP, rightQ
}

func TestSampledDoubleSubstitutionsAreFound(t *testing.T) {
	source := rand.NewChaCha8([32]byte{6})
	draw := rand.New(source)
	for range 50000 {
		h := mustNew(t, source)
		text := []byte(h.String())
		pair := draw.Perm(len(places))[:2]
		for _, i := range pair {
			p := places[i]
			wrong := text[p]
			for wrong == text[p] {
				wrong = alphabet[draw.IntN(len(alphabet))]
			}
			text[p] = wrong
		}
		refused(t, text, h)
	}
}

// Two errors at most are found in every codeword if no difference of weight
// one or two is a codeword of the linear code: shown here for all of them.
func TestNoLinearCodewordIsLight(t *testing.T) {
	columns := [10][2]byte{8: {1, 0}, 9: {0, 1}}
	for i := range dataLen {
		columns[i] = [2]byte{firstWeights[i], secondWeights[i]}
	}
	for i, a := range columns {
		for j := i + 1; j < len(columns); j++ {
			b := columns[j]
			if multiply(a[0], b[1]) == multiply(a[1], b[0]) {
				t.Errorf("the columns %d and %d are proportional", i, j)
			}
		}
	}
}

func TestWeightsArePowersOfTheGenerator(t *testing.T) {
	power := func(n int) byte {
		p := byte(1)
		for range n {
			p = multiply(p, 2)
		}
		return p
	}
	for i := range dataLen {
		if firstWeights[i] != power(i+3) || secondWeights[i] != power(3*i) {
			t.Errorf("weights of symbol %d: %d and %d, want %d and %d",
				i, firstWeights[i], secondWeights[i], power(i+3), power(3*i))
		}
	}
	for n := 1; n < 31; n++ {
		if power(n) == 1 {
			t.Errorf("2 has the order %d, want 31", n)
		}
	}
}
