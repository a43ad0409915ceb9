package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

// A SignalError is the cause of a context that a signal ended.
type SignalError struct {
	Signal os.Signal
}

// Error says which signal it was.
func (e *SignalError) Error() string {
	if e.Signal == syscall.SIGTERM {
		return "terminated"
	}
	return "interrupted"
}

// echoWindow is how long further signals are taken for the same one. Ctrl-C
// reaches a git extension twice, from the terminal and from the git that
// started it, and timeout(1) signals both its child and its group: without the
// window, the first Ctrl-C would already be the second.
const echoWindow = 300 * time.Millisecond

// Signals returns a context that ends at the first SIGINT or SIGTERM, with a
// *SignalError as its context.Cause. A further signal, more than 0.3 s later,
// has the default action: it kills at once. The returned function restores the
// default action and must be called.
func Signals(parent context.Context) (context.Context, context.CancelFunc) {
	received := make(chan os.Signal, 1)
	signal.Notify(received, os.Interrupt, syscall.SIGTERM)
	restore := func() { signal.Stop(received) }
	return cancelAtSignal(parent, received, restore, time.After)
}

// cancelAtSignal is Signals with its surroundings passed in.
func cancelAtSignal(parent context.Context, received <-chan os.Signal, restore func(),
	after func(time.Duration) <-chan time.Time) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(parent)
	stop := make(chan struct{})
	go func() {
		select {
		case sig := <-received:
			cancel(&SignalError{Signal: sig})
		case <-stop:
			return
		}
		select {
		case <-after(echoWindow):
			restore()
		case <-stop:
		}
	}()
	var once sync.Once
	return ctx, func() {
		once.Do(func() {
			close(stop)
			restore()
			cancel(context.Canceled)
		})
	}
}

// Interruption returns the signal that ended ctx as the reason of err, where
// there was one: what a cancelled child says about itself is not the story.
func Interruption(ctx context.Context, err error) error {
	if cause, ok := context.Cause(ctx).(*SignalError); ok {
		return cause
	}
	return err
}
