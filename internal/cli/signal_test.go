package cli

import (
	"context"
	"errors"
	"os"
	"syscall"
	"testing"
	"time"
)

func TestFirstSignalEndsTheContext(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		received := make(chan os.Signal)
		window := make(chan time.Time)
		restored := make(chan struct{}, 2)
		ctx, stop := cancelAtSignal(t.Context(), received, func() { restored <- struct{}{} },
			func(d time.Duration) <-chan time.Time { return window })

		received <- sig
		<-ctx.Done()
		var cause *SignalError
		if !errors.As(context.Cause(ctx), &cause) || cause.Signal != sig {
			t.Errorf("%v: cause %v", sig, context.Cause(ctx))
		}
		select {
		case <-restored:
			t.Errorf("%v: the default action was restored inside the window", sig)
		default:
		}
		window <- time.Time{}
		<-restored
		stop()
		stop()
	}
}

func TestStopEndsTheContextWithoutASignal(t *testing.T) {
	received := make(chan os.Signal)
	restored := make(chan struct{}, 2)
	ctx, stop := cancelAtSignal(t.Context(), received, func() { restored <- struct{}{} }, time.After)
	stop()
	<-restored
	<-ctx.Done()
	var cause *SignalError
	if errors.As(context.Cause(ctx), &cause) {
		t.Errorf("cause %v", cause)
	}
}

func TestSignalsOfThisProcess(t *testing.T) {
	ctx, stop := Signals(t.Context())
	defer stop()
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		t.Fatal(err)
	}
	if err := self.Signal(syscall.SIGTERM); err != nil {
		t.Skipf("this system cannot signal itself: %v", err)
	}
	<-ctx.Done()
	if got := StatusOf(context.Cause(ctx)); got != Terminated {
		t.Errorf("status %d", got)
	}
}
