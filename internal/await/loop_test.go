package await

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// never is a look that sees nothing and counts itself.
func never(count *int) func(context.Context) (bool, error) {
	return func(context.Context) (bool, error) { *count++; return false, nil }
}

func noRenewal() {}

func TestLoopLooksAtOnceAtTicksAndAtTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		looks, began := 0, time.Now()
		err := loop(t.Context(), 7*time.Second, nil, 2*time.Second, never(&looks), noRenewal)
		if err != nil || time.Since(began) != 7*time.Second {
			t.Errorf("loop ended with %v after %v", err, time.Since(began))
		}
		if want := 1 + 3 + 1; looks != want {
			t.Errorf("%d looks in 7 s with a poll of 2 s, want %d", looks, want)
		}
	})
}

func TestLoopEndsWithTheLookThatHolds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wake := make(chan struct{}, 1)
		looks, began := 0, time.Now()
		time.AfterFunc(time.Second, func() { wake <- struct{}{} })
		err := loop(t.Context(), time.Hour, wake, time.Minute, func(context.Context) (bool, error) {
			looks++
			return looks == 2, nil
		}, noRenewal)
		if err != nil || looks != 2 || time.Since(began) != time.Second {
			t.Errorf("%d looks, %v, after %v", looks, err, time.Since(began))
		}
	})
}

func TestLoopLookAtTheDeadlineWins(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began, held := time.Now(), false
		err := loop(t.Context(), time.Second, nil, time.Hour, func(context.Context) (bool, error) {
			held = time.Since(began) >= time.Second
			return held, nil
		}, noRenewal)
		if err != nil || !held {
			t.Errorf("the last look was not made: held %v, %v", held, err)
		}
	})
}

func TestLoopRenewsDaily(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		renewed, looks := 0, 0
		err := loop(t.Context(), 7*24*time.Hour+time.Hour, nil, time.Hour, never(&looks), func() { renewed++ })
		if err != nil || renewed != 7 {
			t.Errorf("renewed %d times in a week (%v)", renewed, err)
		}
	})
}

func TestLoopEndsWithItsContextAndWithAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(3*time.Second, cancel)
		looks := 0
		if err := loop(ctx, time.Hour, nil, time.Minute, never(&looks), noRenewal); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled loop ended with %v", err)
		}
		broken := errors.New("broken")
		if err := loop(t.Context(), time.Hour, nil, time.Minute, func(context.Context) (bool, error) { return false, broken }, noRenewal); err != broken {
			t.Errorf("loop swallowed the error of a look: %v", err)
		}
	})
}
