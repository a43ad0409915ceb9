package accept

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"git-continuity/gitx"
	"git-continuity/internal/adminstate"
	"git-continuity/internal/document"
	"git-continuity/internal/landing"
	"git-continuity/internal/refusal"
)

const journalSchema document.Schema = "git-continuity-accept/v1"

// A journal is what an acceptance has set out to do. From its first line on,
// whoever runs the command again can finish it.
type journal struct {
	Schema document.Schema `json:"schema"`
	// Target is what the user typed: once the worktree has gone, its name or
	// path can be resolved no more.
	Target string       `json:"target"`
	Branch gitx.RefName `json:"branch"`
	Tip    gitx.OID     `json:"tip"`
	Trunk  gitx.RefName `json:"trunk"`
	// Old is where the trunk was, Landed where it goes.
	Old    gitx.OID       `json:"old"`
	Landed gitx.OID       `json:"landed"`
	Method landing.Method `json:"method"`
	// Gate and Receipt go into the note; "" where no receipt was asked for.
	Gate    string `json:"gate"`
	Receipt string `json:"receipt"`
	Keep    bool   `json:"keep"`
	// Worktree is the administrative name of the linked worktree that holds the
	// branch; "" where none does.
	Worktree string `json:"worktree"`
	// RemovalBegun says that this worktree was clean when its removal began: a
	// file that is missing from then on is no uncommitted work.
	RemovalBegun bool `json:"removal_begun"`
}

func (j journal) check() error {
	for _, ref := range []gitx.RefName{j.Branch, j.Trunk} {
		if _, err := gitx.ParseRefName(string(ref)); err != nil || !ref.IsBranch() {
			return fmt.Errorf("%q is no branch", ref)
		}
	}
	for _, oid := range []gitx.OID{j.Tip, j.Old, j.Landed} {
		if oid.IsZero() || oid.Format() != j.Tip.Format() {
			return errors.New("an object id is missing, or of another format")
		}
	}
	switch j.Method {
	case landing.FastForward, landing.Merge, landing.Squash:
		return nil
	}
	return fmt.Errorf("unknown method %.20q", j.Method)
}

// decodeJournal reads exactly what a journal is written as.
func decodeJournal(data []byte) (journal, error) {
	var j journal
	if err := journalSchema.Decode(data, &j); err != nil {
		return journal{}, err
	}
	return j, j.check()
}

// journals are the journals of one repository, locked.
type journals struct {
	dir   *adminstate.Dir
	guard *adminstate.Guard
}

// lockJournals takes the lock that is held to the end of an acceptance. One at a
// time is enough: the second of two would find itself behind the trunk.
func lockJournals(ctx context.Context, commonDir string) (*journals, error) {
	dir, err := adminstate.Create(commonDir, adminstate.Accepts)
	if err != nil {
		return nil, err
	}
	guard, err := dir.Lock(ctx)
	if err == nil {
		if _, err = guard.Sweep(); err == nil {
			return &journals{dir, guard}, nil
		}
		_ = guard.Unlock()
	}
	_ = dir.Close()
	var busy *adminstate.BusyError
	if errors.As(err, &busy) && ctx.Err() == nil {
		return nil, refusal.New(refusal.AcceptRunning, "another acceptance is under way in this repository: %w", err).
			Hint("wait until it has ended, and run the command again")
	}
	return nil, err
}

func (s *journals) close() error { return errors.Join(s.guard.Unlock(), s.dir.Close()) }

func journalName(branch gitx.RefName) string {
	sum := sha256.Sum256([]byte(branch))
	return adminstate.Accepts.Name(hex.EncodeToString(sum[:]))
}

// load returns the journal of a branch; false if there is none.
func (s *journals) load(branch gitx.RefName) (journal, bool, error) {
	j, err := s.read(journalName(branch))
	if errors.Is(err, fs.ErrNotExist) {
		return journal{}, false, nil
	}
	if err == nil && j.Branch != branch {
		err = s.corrupt(journalName(branch), fmt.Errorf("it is of %q", j.Branch))
	}
	return j, err == nil, err
}

func (s *journals) read(name string) (journal, error) {
	data, err := s.guard.Read(name)
	if err != nil {
		if errors.Is(err, adminstate.ErrTooLarge) {
			err = s.corrupt(name, err)
		}
		return journal{}, err
	}
	j, err := decodeJournal(data)
	switch {
	case errors.Is(err, document.ErrNewer):
		return journal{}, refusal.New(refusal.JournalNewer, "a newer version has begun this acceptance: %w", err).
			Hint("upgrade git-continuity")
	case err != nil:
		return journal{}, s.corrupt(name, err)
	}
	return j, nil
}

func (s *journals) corrupt(name string, err error) error {
	return refusal.New(refusal.JournalCorrupt, "the journal %q in %q cannot be read: %w", name, s.dir.Path(), err).
		Hint("see with git log whether the branch has landed; then move the journal away")
}

// byTarget returns the journal that was begun with this text of the user's.
func (s *journals) byTarget(target string) (journal, bool, error) {
	items, err := s.dir.List()
	if err != nil {
		return journal{}, false, err
	}
	for _, item := range items {
		if _, ok := adminstate.Accepts.ID(item.Name); !ok {
			continue
		}
		// Others' journals that cannot be read stop nobody.
		if j, err := s.read(item.Name); err == nil && target != "" && j.Target == target {
			return j, true, nil
		}
	}
	return journal{}, false, nil
}

// create writes a new journal. One for the same branch must not stand.
func (s *journals) create(j journal) error {
	file, err := j.file()
	if err != nil {
		return err
	}
	return s.guard.CreateExclusive(file)
}

// update replaces the journal.
func (s *journals) update(j journal) error {
	file, err := j.file()
	if err != nil {
		return err
	}
	return s.guard.AtomicWrite(file)
}

func (s *journals) remove(branch gitx.RefName) error {
	if err := s.guard.Remove(journalName(branch)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (j journal) file() (adminstate.File, error) {
	j.Schema = journalSchema
	if err := j.check(); err != nil {
		return adminstate.File{}, fmt.Errorf("write the journal of %q: %w", j.Branch, err)
	}
	data, err := document.Encode(j)
	return adminstate.File{Name: journalName(j.Branch), Data: data}, err
}

// named returns the branch that a user's text would name as a branch.
func named(target string) (gitx.RefName, error) {
	if strings.HasPrefix(target, "refs/") {
		return gitx.ParseRefName(target)
	}
	return gitx.BranchRef(target)
}
