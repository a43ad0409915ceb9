package gitx

import (
	"context"
	"path/filepath"
)

// A Repo is one git repository, seen from one of its checkouts or from its
// common directory. It is immutable and pinned: whatever the process does
// later, it stays this repository. It is safe for concurrent use.
type Repo struct {
	program string
	env     Env // what children get, before what depends on the command
	outer   Env // what Open was given, for other checkouts
	config  *Config
	version string
	place
}

// A place is what git says about a directory.
type place struct {
	gitDir, commonDir string
	topLevel          string // "" where there is no work tree
	indexFile         string
	objectDir         string
	bare, shallow     bool
	format            ObjectFormat
}

// GitDir returns the absolute path of the git directory. A linked worktree has
// one of its own, below the common directory.
func (r *Repo) GitDir() string { return r.gitDir }

// CommonDir returns the absolute path of the git directory that all worktrees
// share.
func (r *Repo) CommonDir() string { return r.commonDir }

// TopLevel returns the absolute path of the work tree. It is "" where git has
// none: in a bare repository, in a git directory, in what Common returns.
func (r *Repo) TopLevel() string { return r.topLevel }

// Bare reports whether git takes this for a bare repository. A linked worktree
// of a bare repository is not bare.
func (r *Repo) Bare() bool { return r.bare }

// Linked reports whether this is a linked worktree.
func (r *Repo) Linked() bool { return r.WorktreeName() != "" }

// WorktreeName returns the administrative name of a linked worktree: its folder
// below worktrees/ in the common directory. It is "" for the main one.
func (r *Repo) WorktreeName() string {
	if filepath.Dir(r.gitDir) != filepath.Join(r.commonDir, "worktrees") {
		return ""
	}
	return filepath.Base(r.gitDir)
}

// ObjectFormat returns the hash that names the objects.
func (r *Repo) ObjectFormat() ObjectFormat { return r.format }

// RefFormat returns the name of the ref storage: "files" or "reftable".
func (r *Repo) RefFormat() string {
	// Only the repository's own file counts; git itself ignores others.
	for _, s := range r.config.Settings("extensions.refStorage") {
		if s.Scope == "local" {
			return s.Value
		}
	}
	return "files"
}

// Shallow reports whether the history is cut off.
func (r *Repo) Shallow() bool { return r.shallow }

// Version returns the version of the git program, for example "2.39.5".
func (r *Repo) Version() string { return r.version }

// Config returns the settings as they were when the repository was opened.
func (r *Repo) Config() *Config { return r.config }

// home is where children run. It is the top level, since git itself goes there
// and relative paths in its environment count from there.
func (r *Repo) home() string {
	if r.topLevel != "" {
		return r.topLevel
	}
	return r.gitDir
}

// Common returns the same repository through its common directory alone. It
// survives the removal of the worktree that r was opened in, and is for refs
// and objects only: it has no work tree and no index.
func (r *Repo) Common() *Repo {
	common := *r
	common.gitDir, common.topLevel, common.indexFile = r.commonDir, "", ""
	common.env = r.env.Without(placeVars...).With(
		"GIT_DIR="+r.commonDir, "GIT_IMPLICIT_WORK_TREE=0")
	return &common
}

// AtWorktree opens the checkout at path, of this repository or of another one.
// The variables that tie the process to its own repository play no part there;
// settings from the command line of git do, as in git. Where the checkout
// belongs to this repository, objects in quarantine stay visible.
// The errors are those of Open.
func (r *Repo) AtWorktree(ctx context.Context, path string) (*Repo, error) {
	outer := r.outer.Without(localVars...)
	other, err := Open(ctx, OpenOptions{Dir: path, Env: outer})
	if err != nil || other.commonDir != r.commonDir {
		return other, err
	}
	for _, key := range []string{
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_SHALLOW_FILE", "GIT_QUARANTINE_PATH",
	} {
		if value, ok := r.env.Lookup(key); ok {
			other.env = other.env.With(key + "=" + value)
		}
	}
	return other, nil
}
