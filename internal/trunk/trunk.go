// Package trunk decides which branch is the trunk: the one that work lands on.
//
// It stands apart because every domain asks the same question (what has a
// watch moved past, has this landed, which policy is in force) and must get the
// same answer; a second opinion about the trunk would be a wrong "landed".
package trunk

import (
	"context"
	"strings"

	"git-continuity/gitx"
	"git-continuity/internal/refusal"
)

// Setting is the git configuration variable that names the trunk.
const Setting = "continuity.trunk"

// A Trunk is the branch that work lands on.
type Trunk struct {
	// Ref is the full name: below refs/heads/, or below refs/remotes/ where the
	// trunk is only known as a remote has it.
	Ref gitx.RefName
	// Tip is what it pointed at when it was resolved.
	Tip gitx.OID
}

// ReadOnly reports whether the trunk is a remote-tracking branch, which only
// a fetch moves.
func (t Trunk) ReadOnly() bool { return !t.Ref.IsBranch() }

// A named is one step of the search: a branch name and where it comes from.
type named struct {
	name, source string
	// binding marks a name that somebody stated: if it leads nowhere that is a
	// refusal, never a reason to go on to the next guess.
	binding bool
}

// Resolve returns the trunk of a repository: explicit (the --trunk option)
// where it is not empty, then continuity.trunk, the branch that origin/HEAD
// names, init.defaultBranch, main and master. A name counts if the local branch
// exists, else if origin has it. Stated names that exist in neither, and a
// search that finds nothing, are refused with the code no_trunk.
func Resolve(ctx context.Context, repo *gitx.Repo, explicit string) (Trunk, error) {
	steps, err := steps(ctx, repo, explicit)
	if err != nil {
		return Trunk{}, err
	}
	for _, step := range steps {
		found, ok, err := lookUp(ctx, repo, step.name)
		if err != nil {
			return Trunk{}, err
		}
		if ok {
			return found, nil
		}
		if step.binding {
			return Trunk{}, refusal.New(refusal.NoTrunk, "%s names %q, which is neither a branch here nor on origin", step.source, step.name).
				At("trunk").Hint("git config %s <branch>", Setting)
		}
	}
	return Trunk{}, refusal.New(refusal.NoTrunk, "no branch can be taken for the trunk").
		At("trunk").Hint("git config %s <branch>", Setting)
}

// Lookup returns the trunk that a stored full name stands for, and whether it
// exists now.
func Lookup(ctx context.Context, repo *gitx.Repo, ref gitx.RefName) (Trunk, bool, error) {
	tip, ok, err := repo.ResolveRef(ctx, ref)
	return Trunk{Ref: ref, Tip: tip}, ok, err
}

func steps(ctx context.Context, repo *gitx.Repo, explicit string) ([]named, error) {
	if explicit != "" {
		return []named{{explicit, "--trunk", true}}, nil
	}
	if name, ok := repo.Config().String(Setting); ok && name != "" {
		return []named{{name, Setting, true}}, nil
	}
	var list []named
	head, ok, err := repo.SymbolicRef(ctx, "refs/remotes/origin/HEAD")
	if err != nil {
		return nil, err
	}
	if short, isOrigin := strings.CutPrefix(string(head), "refs/remotes/origin/"); ok && isOrigin {
		list = append(list, named{short, "origin/HEAD", true})
	}
	if name, ok := repo.Config().String("init.defaultBranch"); ok && name != "" {
		list = append(list, named{name, "init.defaultBranch", false})
	}
	return append(list, named{"main", "main", false}, named{"master", "master", false}), nil
}

// lookUp tries a branch name, or a full name below refs/heads/ or refs/remotes/.
func lookUp(ctx context.Context, repo *gitx.Repo, name string) (Trunk, bool, error) {
	candidates := []string{"refs/heads/" + name, "refs/remotes/origin/" + name}
	if strings.HasPrefix(name, "refs/heads/") || strings.HasPrefix(name, "refs/remotes/") {
		candidates = []string{name}
	}
	for _, candidate := range candidates {
		ref, err := gitx.ParseRefName(candidate)
		if err != nil {
			continue
		}
		found, ok, err := Lookup(ctx, repo, ref)
		if err != nil || ok {
			return found, ok, err
		}
	}
	return Trunk{}, false, nil
}
