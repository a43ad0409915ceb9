package cli

import (
	"context"
	"errors"

	"git-continuity/gitx"
	"git-continuity/internal/refusal"
)

// OpenRepository finds the repository that a command was started in. Outside
// of one, and with a git that is too old, it refuses; whatever else git says
// about the place is passed on.
func OpenRepository(ctx context.Context) (*gitx.Repo, error) {
	repo, err := gitx.Open(ctx, gitx.OpenOptions{})
	var missing *gitx.NotRepositoryError
	var old *gitx.VersionError
	switch {
	case errors.As(err, &missing):
		return nil, refusal.New(refusal.NoRepository, "%w", err).Hint("git init, or change to a repository")
	case errors.As(err, &old):
		return nil, refusal.New(refusal.GitTooOld, "%w", err).Hint("install git %s or later", old.Floor)
	}
	return repo, err
}
