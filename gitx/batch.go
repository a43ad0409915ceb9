package gitx

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
)

// An ObjectInfo says what a name names.
type ObjectInfo struct {
	OID  OID
	Type ObjectType
	// Size is the length of the content in bytes.
	Size int64
	// Missing says that the name names no object that is here. For a ref that
	// exists OID is set all the same: the ref stands and its object is gone.
	Missing bool
}

// An ObjectTooLargeError reports an object that is longer than its reader was
// ready to hold.
type ObjectTooLargeError struct {
	Name      string
	Size, Max int64
}

// Error names the object and both lengths.
func (e *ObjectTooLargeError) Error() string {
	return fmt.Sprintf("object %q has %d bytes; at most %d are read", e.Name, e.Size, e.Max)
}

// ErrBatchClosed is returned by every call after Close.
var ErrBatchClosed = errors.New("batch of objects is closed")

// A Batch reads objects through one long-lived git process: tens of
// microseconds for what a process of its own costs milliseconds. It is safe for
// concurrent use. A process that dies is started again, once per call.
//
// Names are full object ids, full ref names, and whatever gitrevisions(7) knows
// besides ("<id>^{tree}", "<id>:path"). Short names of refs are for users'
// text: see RevParse.
//
// A full ref name is resolved anew at every call and exactly: it is never
// answered by a ref that merely ends like it, and a ref that cannot be read is
// an error and never "missing". A ref name with a suffix ("refs/heads/x^{tree}")
// is only as exact as git makes it.
type Batch struct {
	repo *Repo
	ctx  context.Context

	mu     sync.Mutex // held during an exchange with the process
	child  *batchChild
	closed bool

	absent absentRefs
}

// NewBatch starts the process. It lives until Close, or until ctx ends; Close
// must be called in any case. Use the batch of Common where the worktree may be
// removed meanwhile.
func (r *Repo) NewBatch(ctx context.Context) (*Batch, error) {
	child, err := r.startBatchChild(ctx)
	if err != nil {
		return nil, err
	}
	return &Batch{repo: r, ctx: ctx, child: child}, nil
}

// Close ends the process and waits for it. It may be called again.
func (b *Batch) Close() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	if b.child != nil {
		// How it ends does not matter: nothing was asked of it any more.
		_ = b.child.end()
		b.child = nil
	}
	return nil
}

// Info answers for all names at once, in their order. What is missing is no
// error but said in the answer. The errors are *BrokenRefError,
// *AmbiguousError for an abbreviated id, and those of the process.
func (b *Batch) Info(names ...string) ([]ObjectInfo, error) {
	for _, name := range names {
		if err := checkBatchName(name); err != nil {
			return nil, err
		}
	}
	stamp := b.repo.sharedRefsStamp()
	infos, err := b.rawInfo(names)
	if err != nil {
		return nil, err
	}
	for i, name := range names {
		if ref, err := ParseRefName(name); err == nil {
			if infos[i], err = b.exactly(ref, infos[i], stamp); err != nil {
				return nil, err
			}
		}
	}
	return infos, nil
}

// Contents returns an object with its content. The errors are
// *MissingObjectError, *ObjectTooLargeError for a content of more than max
// bytes (the answer says what it is), and those of Info.
func (b *Batch) Contents(name string, max int64) (ObjectInfo, []byte, error) {
	if err := checkBatchName(name); err != nil {
		return ObjectInfo{}, nil, err
	}
	asked := name
	if _, err := ParseRefName(name); err == nil {
		infos, err := b.Info(name)
		if err != nil {
			return ObjectInfo{}, nil, err
		}
		if infos[0].Missing {
			return infos[0], nil, &MissingObjectError{Name: name}
		}
		asked = infos[0].OID.String()
	}
	var info ObjectInfo
	var content []byte
	var ambiguous *AmbiguousError
	answered, err := b.exchange("contents", []string{asked}, func(c *batchChild, _ int) (err error) {
		info, err = c.header(b.repo.format, asked)
		if errors.As(err, &ambiguous) {
			return nil
		}
		if err != nil || info.Missing {
			return err
		}
		content, err = c.body(info.Size, max)
		return err
	})
	switch {
	case err != nil:
		return ObjectInfo{}, nil, err
	case ambiguous != nil:
		return ObjectInfo{}, nil, ambiguous
	case answered == 0 || info.Missing:
		return ObjectInfo{Missing: true}, nil, &MissingObjectError{Name: name}
	case info.Size > max:
		return info, nil, &ObjectTooLargeError{Name: name, Size: info.Size, Max: max}
	}
	return info, content, nil
}

// maxTreeOrCommit bounds what Commit and Tree read: 64 MiB is a folder of a
// million files.
const maxTreeOrCommit = 64 << 20

// Commit reads a commit.
func (b *Batch) Commit(oid OID) (Commit, error) {
	content, err := b.typed(oid, TypeCommit)
	if err != nil {
		return Commit{}, err
	}
	c, err := ParseCommit(b.repo.format, content)
	if err != nil {
		return Commit{}, fmt.Errorf("read commit %s: %w", oid, err)
	}
	return c, nil
}

// Tree reads a tree, one level of it.
func (b *Batch) Tree(oid OID) ([]TreeEntry, error) {
	content, err := b.typed(oid, TypeTree)
	if err != nil {
		return nil, err
	}
	entries, err := ParseTree(b.repo.format, content)
	if err != nil {
		return nil, fmt.Errorf("read tree %s: %w", oid, err)
	}
	return entries, nil
}

// typed returns the content of an object that must have this type.
func (b *Batch) typed(oid OID, want ObjectType) ([]byte, error) {
	info, content, err := b.Contents(oid.String(), maxTreeOrCommit)
	if err != nil {
		return nil, err
	}
	if info.Type != want {
		return nil, fmt.Errorf("read %s %s: it is a %s", want, oid, info.Type)
	}
	return content, nil
}

// checkBatchName refuses names that would be read as two commands, or as
// another name: git drops a carriage return at the end of a line.
func checkBatchName(name string) error {
	if name == "" || strings.ContainsAny(name, "\n\r\x00") {
		return fmt.Errorf("read object %q: empty name, line end or NUL in it", name)
	}
	return nil
}

// rawInfo is Info as git answers it.
func (b *Batch) rawInfo(names []string) ([]ObjectInfo, error) {
	infos := make([]ObjectInfo, len(names))
	var ambiguous *AmbiguousError
	for from := 0; from < len(names); {
		answered, err := b.exchange("info", names[from:], func(c *batchChild, i int) (err error) {
			infos[from+i], err = c.header(b.repo.format, names[from+i])
			if errors.As(err, &ambiguous) {
				return nil // an answer like others: the next ones follow
			}
			return err
		})
		if err != nil {
			return nil, err
		}
		if from += answered; from < len(names) {
			infos[from] = ObjectInfo{Missing: true}
			from++
		}
	}
	if ambiguous != nil {
		return nil, ambiguous
	}
	return infos, nil
}

// exchange asks one question for each name and reads the answers. It returns
// fewer answers than names, without an error, where git died of the object that
// comes next because it is missing.
func (b *Batch) exchange(command string, names []string, read func(c *batchChild, i int) error) (answered int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for died := false; ; died = true {
		c, err := b.running()
		if err != nil {
			return answered, err
		}
		n, err := converse(c, command, names[answered:], answered, read)
		answered += n
		if err == nil {
			return answered, nil
		}
		b.child = nil
		end := c.end()
		var protocol *batchProtocolError
		if errors.As(err, &protocol) {
			return answered, err
		}
		if b.ctx.Err() != nil {
			return answered, end
		}
		if status, exited := Status(end); exited && status == 128 && b.repo.promisor() {
			return answered, nil
		}
		if died {
			return answered, end
		}
	}
}

// converse asks and reads; it returns how many answers it read.
func converse(c *batchChild, command string, names []string, first int, read func(c *batchChild, i int) error) (int, error) {
	// The write fails where the process has died; the reads then tell how far
	// it came.
	writeErr := c.ask(command, names)
	for i := range names {
		if err := read(c, first+i); err != nil {
			return i, err
		}
	}
	return len(names), writeErr
}

// running returns the process, started again if it has died.
func (b *Batch) running() (*batchChild, error) {
	if b.closed {
		return nil, ErrBatchClosed
	}
	if b.child == nil {
		child, err := b.repo.startBatchChild(b.ctx)
		if err != nil {
			return nil, err
		}
		b.child = child
	}
	return b.child, nil
}

// promisor reports whether this is a partial clone. There, git may die of a
// missing object, where elsewhere it says that it is missing.
func (r *Repo) promisor() bool {
	if _, ok := r.config.String("extensions.partialClone"); ok {
		return true
	}
	for _, remote := range r.config.Subsections("remote") {
		if promisor, _, err := r.config.Bool("remote." + remote + ".promisor"); err == nil && promisor {
			return true
		}
	}
	return false
}
