package gate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"git-continuity/internal/adminstate"
	"git-continuity/internal/document"
	"git-continuity/internal/refusal"
)

// errMissing is a checkout without a receipt.
var errMissing = errors.New("no receipt")

// load reads the receipt of the checkout with this git directory. The errors
// are errMissing, document.ErrNewer, and others for what cannot be read.
func load(gitDir string) (Receipt, error) {
	dir, err := adminstate.Open(gitDir, adminstate.GateReceipt)
	if err != nil {
		return Receipt{}, orMissing(err)
	}
	defer dir.Close()
	return loadIn(dir)
}

// ReceiptPath returns where the receipt of a checkout lies, by its git directory,
// for whoever waits for it to change.
func ReceiptPath(gitDir string) string { return adminstate.GateReceipt.Path(gitDir) }

// reader is what has files to read: a folder, locked or not. A receipt is
// replaced whole, so that reading one needs no lock.
type reader interface {
	Read(name string) ([]byte, error)
}

func loadIn(dir reader) (Receipt, error) {
	data, err := dir.Read(adminstate.GateReceipt.File)
	if err != nil {
		return Receipt{}, orMissing(err)
	}
	return DecodeReceipt(data)
}

func orMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return errMissing
	}
	return err
}

// change runs f under the lock of the receipt, unless a newer version wrote the
// one that stands.
func change(ctx context.Context, gitDir string, f func(*adminstate.Guard) error) (err error) {
	dir, err := adminstate.Create(gitDir, adminstate.GateReceipt)
	if err != nil {
		return err
	}
	defer dir.Close()
	guard, err := dir.Lock(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, guard.Unlock()) }()
	_, err = loadIn(guard)
	switch {
	case errors.Is(err, document.ErrNewer):
		return refusal.New(refusal.ReceiptNewer, "a newer version wrote the receipt of this checkout: %w", err).
			Hint("upgrade git-continuity")
	case refusal.CodeOf(err) != "":
		return err
	}
	return f(guard)
}

// probe finds out whether a receipt could be written.
func probe(ctx context.Context, gitDir string) error {
	return change(ctx, gitDir, (*adminstate.Guard).Probe)
}

func store(ctx context.Context, gitDir string, r Receipt) error {
	data, err := EncodeReceipt(r)
	if err != nil {
		return err
	}
	return change(ctx, gitDir, func(g *adminstate.Guard) error {
		return g.AtomicWrite(adminstate.File{Name: adminstate.GateReceipt.File, Data: data})
	})
}

// remove removes the receipt, readable or not, if there is one.
func remove(ctx context.Context, gitDir string) error {
	return change(ctx, gitDir, func(g *adminstate.Guard) error {
		err := g.Remove(adminstate.GateReceipt.File)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("remove the receipt of a gate that failed: %w", err)
		}
		return nil
	})
}
