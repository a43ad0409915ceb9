// Package gitx runs the git program and answers in Go values.
//
// It is the storage and transport layer of git-continuity, and the one package
// that starts processes and reads git's part of the environment; that is why it
// stands apart. It imports the standard library only.
//
// # Tour
//
// [Open] finds the repository as git finds it, from a directory, a hook, an
// alias or a rebase exec, and returns an immutable [Repo]. [Repo.AtWorktree]
// opens another checkout, whatever the environment says about this one;
// [Repo.Common] is the repository without any checkout, for refs and objects.
// [Repo.Config] is a snapshot of the settings as git reads them, and
// [Repo.Worktrees] lists the checkouts. [Repo.Run] runs any git command;
// [Shell] runs a command of the user's.
//
// # Promises
//
//   - A Repo is pinned: no later change of directory or environment makes it
//     mean another repository.
//   - No child can ask a question: it has no terminal, and git, ssh and the
//     credential helpers are told so.
//   - Reads take no optional locks, follow no replacement object or graft and
//     open no network.
//   - A cancelled child gets SIGTERM, a grace, then SIGKILL, and so does every
//     process of its group. A grandchild that keeps a pipe open keeps nobody
//     waiting for longer than the grace.
//   - Output is bounded; what git says on stderr is bounded too and loses the
//     user information of URLs before anybody sees it.
//   - Whatever a caller may branch on is a type: [ExitError],
//     [NotRepositoryError], [VersionError], [OutputTooLargeError],
//     [ConfigError] and those beside the functions that return them.
package gitx
