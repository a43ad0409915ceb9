package await

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"git-continuity/gitx"
	"git-continuity/internal/refusal"
)

// RemoteSetting is the git configuration variable that names the remote.
const RemoteSetting = "continuity.remote"

// A RemoteWatch is the remote that a watch is about. Its trunk is the trunk of
// every judgement; the local one is not asked.
type RemoteWatch struct {
	// Name is that of a configured remote, never a URL.
	Name string `json:"name"`
	// Trunk is the full name of the trunk's branch there.
	Trunk gitx.RefName `json:"trunk"`
}

// A RemoteSide is what a condition follows at the remote, beside its local
// branch.
type RemoteSide struct {
	// Branch is the full name of the branch there.
	Branch gitx.RefName `json:"branch"`
	// Armed is the last tip of it that was seen outside the trunk, as for the
	// local branch.
	Armed gitx.OID `json:"armed"`
}

// A RemoteStatus says how the latest question to the remote ended; it is part
// of the JSON contract, and never a verdict.
type RemoteStatus string

// The ways in which a question to the remote ends.
const (
	RemoteOK RemoteStatus = "ok"
	// RemoteUnreachable: there was no answer, or none in time.
	RemoteUnreachable RemoteStatus = "unreachable"
	// RemoteDenied: it wants credentials that are not at hand.
	RemoteDenied RemoteStatus = "denied"
	// RemoteUnknown: no remote of that name is configured any more.
	RemoteUnknown RemoteStatus = "unknown"
	// RemoteFailed: it answered, and the answer could not be used.
	RemoteFailed RemoteStatus = "failed"
)

// RemoteSeen is what is known of the remote, for one condition.
type RemoteSeen struct {
	Name   string       `json:"name"`
	Status RemoteStatus `json:"status"`
	// AskedAt is when it last answered; nil if it never did. TrunkHead and Tip are
	// what it answered then; nil for what did not exist there.
	AskedAt   *time.Time `json:"asked_at"`
	TrunkHead *gitx.OID  `json:"trunk_head"`
	Tip       *gitx.OID  `json:"tip,omitempty"`
}

func (r *RemoteWatch) validate() error {
	if r.Name == "" {
		return errors.New("a remote without a name")
	}
	if !r.Trunk.IsBranch() {
		return fmt.Errorf("trunk %q of the remote is no branch", r.Trunk)
	}
	_, err := gitx.ParseRefName(string(r.Trunk))
	return err
}

func (s *RemoteSide) validate() error {
	if !s.Branch.IsBranch() {
		return fmt.Errorf("%q of the remote is no branch", s.Branch)
	}
	_, err := gitx.ParseRefName(string(s.Branch))
	return err
}

// statusOf tells how a question ended that gave err.
func statusOf(err error) RemoteStatus {
	if err == nil {
		return RemoteOK
	}
	switch gitx.FaultOf(err) {
	case gitx.RemoteUnreachable:
		return RemoteUnreachable
	case gitx.RemoteDenied:
		return RemoteDenied
	case gitx.RemoteUnknown:
		return RemoteUnknown
	}
	return RemoteFailed
}

// chooseRemote returns the remote that a new watch is about: the given one, that
// of continuity.remote, that of the trunk, origin, the only one.
func chooseRemote(repo *gitx.Repo, given string, trunk gitx.RefName) (string, error) {
	remotes := repo.Remotes()
	if given != "" {
		return given, refuseStranger(remotes, given)
	}
	if name, ok := repo.Config().String(RemoteSetting); ok && name != "" {
		if !slices.Contains(remotes, name) {
			return "", refusal.New(refusal.NoRemote, "%s names %q, and no remote of that name is configured", RemoteSetting, name).
				At("remote").Hint("git remote").Hint("git config %s <remote>", RemoteSetting)
		}
		return name, nil
	}
	for _, name := range []string{remoteOf(repo, trunk), "origin"} {
		if slices.Contains(remotes, name) {
			return name, nil
		}
	}
	switch len(remotes) {
	case 1:
		return remotes[0], nil
	case 0:
		return "", refusal.New(refusal.NoRemote, "this repository has no remote").At("remote").Hint("git remote add <name> <url>")
	}
	return "", refusal.New(refusal.NoRemote, "none of the %d remotes stands out", len(remotes)).
		At("remote").Hint("--remote=<name>").Hint("git config %s <remote>", RemoteSetting)
}

// refuseStranger refuses what is not the name of a configured remote: a watch
// goes only where the configuration already leads.
func refuseStranger(remotes []string, given string) error {
	switch {
	case slices.Contains(remotes, given):
		return nil
	case strings.ContainsAny(given, ":\\") || strings.HasPrefix(given, "/") || strings.HasPrefix(given, "."):
		return refusal.New(refusal.InvalidArguments, "the value of --remote is a URL or a path; it takes the name of a configured remote").
			At("remote").Hint("git remote")
	}
	return refusal.New(refusal.NoRemote, "no remote called %q is configured", given).At("remote").Hint("git remote")
}

// remoteOf returns the remote that the trunk is configured to follow, or "".
func remoteOf(repo *gitx.Repo, trunk gitx.RefName) string {
	if trunk.IsBranch() {
		name, _ := repo.Config().String("branch." + trunk.Short() + ".remote")
		return name
	}
	for _, name := range repo.Remotes() {
		if strings.HasPrefix(string(trunk), "refs/remotes/"+name+"/") {
			return name
		}
	}
	return ""
}

// branchThere returns the branch at a remote that a local ref stands for: the
// branch of the same name, or the one that a tracking branch of one of these
// remotes follows. It is empty for other refs.
func branchThere(ref gitx.RefName, remotes ...string) gitx.RefName {
	if ref.IsBranch() {
		return ref
	}
	for _, name := range remotes {
		short, ok := strings.CutPrefix(string(ref), "refs/remotes/"+name+"/")
		if there, err := gitx.BranchRef(short); ok && err == nil {
			return there
		}
	}
	return ""
}

// checkRemoteAgain checks a --remote that was given beside --resume: it may only
// repeat what the watch has.
func (q *Question) checkRemoteAgain(given *string) error {
	switch {
	case given == nil || q.Remote != nil && (*given == "" || *given == q.Remote.Name):
		return nil
	case q.Remote == nil:
		return refusal.New(refusal.InvalidArguments, "the watch is about this repository, not about a remote").
			At("remote").Hint("resume it without --remote, or start a new watch")
	}
	return refusal.New(refusal.InvalidArguments, "the watch is about the remote %q, not %q", q.Remote.Name, *given).
		At("remote").Hint("resume it without --remote, or start a new watch")
}

// askThere makes the question of a new watch about a remote. The remote is
// asked once, since its branches come before the local ones.
func (w *Watch) askThere(ctx context.Context, req Request) error {
	repo, q := w.service.Repo, &w.question
	name, err := chooseRemote(repo, *req.Remote, q.Trunk)
	if err != nil {
		return err
	}
	q.Remote = &RemoteWatch{Name: name, Trunk: branchThere(q.Trunk, repo.Remotes()...)}
	if q.Remote.Trunk == "" {
		return refusal.New(refusal.NoTrunk, "the trunk %q is no branch, so the remote %q cannot have it", q.Trunk, name).
			At("trunk").Hint("git await --trunk <branch> --remote=%s", name)
	}
	q.TrunkStart = gitx.OID{}
	refs := []gitx.RefName{q.Remote.Trunk}
	for _, ask := range req.Asks {
		if ask.Kind == Green {
			return refusal.New(refusal.InvalidArguments, "a receipt can only be in a checkout here, so nothing at %q can be green", name).
				At("remote").Hint("git await --landed <branch> --remote=%s", name)
		}
		if there := namedThere(ask.Target, name); there != "" {
			refs = append(refs, there)
		}
	}
	limited, cancel := context.WithDeadline(ctx, w.firstAnswerBy())
	defer cancel()
	tips, err := repo.LsRemote(limited, name, refs...)
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	w.first = &listing{tips: tips, err: err}
	if err == nil && tips[q.Remote.Trunk].IsZero() {
		return refusal.New(refusal.NoTrunk, "the remote %q has no branch %q", name, q.Remote.Trunk.Short()).
			At("trunk").Hint("git ls-remote --heads %s", name)
	}
	q.TrunkStart = tips[q.Remote.Trunk]
	return nil
}

// namedThere returns the branch of the remote that a target could name.
func namedThere(target, remote string) gitx.RefName {
	if strings.HasPrefix(target, "refs/") {
		ref, err := gitx.ParseRefName(target)
		if err != nil {
			return ""
		}
		return branchThere(ref, remote)
	}
	ref, err := gitx.BranchRef(target)
	if err != nil {
		return ""
	}
	return ref
}

// target resolves the target of a condition: with a remote its branch of that
// name first, else as always.
func (w *Watch) target(ctx context.Context, c *Condition, ask Ask) (err error) {
	remote := w.question.Remote
	if remote != nil {
		there := namedThere(ask.Target, remote.Name)
		if there != "" && !w.first.tips[there].IsZero() {
			c.Branch, c.Remote = there, &RemoteSide{Branch: there}
			if strings.HasPrefix(ask.Target, "refs/") {
				c.Branch = gitx.RefName(ask.Target)
			}
			return nil
		}
	}
	c.Branch, err = resolveTarget(ctx, w.service.Repo, w.service.Dir, ask.Target, string(ask.Kind))
	if remote == nil {
		return err
	}
	var r *refusal.Refusal
	if errors.As(err, &r) && w.first.err != nil {
		r.Hint("git ls-remote %s: the remote could not be asked (%s)", remote.Name, statusOf(w.first.err))
	}
	if there := branchThere(c.Branch, remote.Name); there != "" {
		c.Remote = &RemoteSide{Branch: there}
	}
	return err
}

// isTrunk reports whether a condition is about the trunk itself.
func (q *Question) isTrunk(c Condition) bool {
	return c.Branch == q.Trunk || q.Remote != nil && c.Remote != nil && c.Remote.Branch == q.Remote.Trunk
}
