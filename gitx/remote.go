package gitx

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// remoteGrace is the grace of processes that only read from a remote: they hold
// no lock that could be left behind, and their caller wants to end.
const remoteGrace = 500 * time.Millisecond

// Remotes returns the names of the configured remotes that have a URL, in the
// order of the configuration as it was when the repository was opened.
func (r *Repo) Remotes() []string {
	var names []string
	for _, name := range r.config.Subsections("remote") {
		if _, ok := r.RemoteURL(name); ok {
			names = append(names, name)
		}
	}
	return names
}

// RemoteURL returns the first URL of a configured remote, without user name and
// password, and whether there is one. It is for showing: git is given the name.
func (r *Repo) RemoteURL(name string) (string, bool) {
	for _, url := range r.config.All("remote." + name + ".url") {
		if url != "" {
			return withoutUserInfo(url), true
		}
	}
	return "", false
}

// LsRemote asks a configured remote what refs point at there. Refs that do not
// exist there have no entry. It writes nothing and asks nobody for a password.
// Bound it with ctx: a server may accept and stay silent.
//
// The errors are *RemoteError, and context.Cause(ctx) wrapped in one.
func (r *Repo) LsRemote(ctx context.Context, remote string, refs ...RefName) (map[RefName]OID, error) {
	if err := r.checkRemote(ctx, remote); err != nil {
		return nil, err
	}
	args := []string{"ls-remote", "--quiet", "--end-of-options", remote}
	for _, ref := range refs {
		args = append(args, string(ref))
	}
	out, err := r.Run(ctx, remoteCommand(args))
	if err != nil {
		return nil, remoteError(remote, err)
	}
	tips := map[RefName]OID{}
	for line := range strings.Lines(string(out)) {
		hex, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		oid, err := ParseOID(hex)
		if err == nil && oid.Format() != r.format {
			err = fmt.Errorf("object id %q is not of the format %s", hex, r.format)
		}
		if !ok || err != nil {
			return nil, &RemoteError{Remote: remote, Fault: RemoteFailed, Err: fmt.Errorf("read the answer of git ls-remote %.200q: %w", line, err)}
		}
		// git matches the end of a name: asked for refs/heads/x, it also tells of
		// refs/remotes/y/refs/heads/x.
		for _, ref := range refs {
			if string(ref) == name {
				tips[ref] = oid
			}
		}
	}
	return tips, nil
}

// FetchObjects brings objects, with all that they reach, from a configured
// remote into the object store, and changes nothing else: no ref, no
// FETCH_HEAD, no configuration, whatever the settings of the remote say. have
// are commits that are here although no ref leads to them, such as those of an
// earlier call; they save sending what they reach. Those that are missing are
// passed over.
//
// Nothing keeps the objects: git may remove them after gc.pruneExpire. The
// errors are those of LsRemote; with the fault RemoteMoved the remote no longer
// has one of the objects, and should be asked anew.
func (r *Repo) FetchObjects(ctx context.Context, remote string, want, have []OID) error {
	if len(want) == 0 {
		return nil
	}
	if err := r.checkRemote(ctx, remote); err != nil {
		return err
	}
	args := []string{
		// No hook of the user's has a part in this, and a list of bundles would be
		// stored as refs.
		"-c", "core.hooksPath=" + noFile, "-c", "fetch.bundleURI=", "-c", "transfer.bundleURI=false",
		"fetch", "--quiet", "--no-progress", "--no-write-fetch-head", "--refmap=",
		"--no-tags", "--no-prune", "--no-prune-tags", "--no-recurse-submodules",
		"--no-auto-maintenance", "--no-write-commit-graph", "--no-update-shallow",
	}
	known, err := r.present(ctx, have)
	if err != nil {
		return err
	}
	if len(known) > 0 {
		// Naming one replaces the refs that git would begin with.
		args = append(args, "--negotiation-tip=refs/*")
		for _, oid := range known {
			args = append(args, "--negotiation-tip="+oid.String())
		}
	}
	args = append(args, "--end-of-options", remote)
	for _, oid := range want {
		args = append(args, oid.String())
	}
	if _, err := r.Run(ctx, remoteCommand(args)); err != nil {
		return remoteError(remote, err)
	}
	return nil
}

// present returns those of oids that are in the object store.
func (r *Repo) present(ctx context.Context, oids []OID) ([]OID, error) {
	if len(oids) == 0 {
		return nil, nil
	}
	batch, err := r.NewBatch(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { _ = batch.Close() }()
	names := make([]string, len(oids))
	for i, oid := range oids {
		names[i] = oid.String()
	}
	infos, err := batch.Info(names...)
	if err != nil {
		return nil, err
	}
	var here []OID
	for i, info := range infos {
		if !info.Missing {
			here = append(here, oids[i])
		}
	}
	return here, nil
}

// checkRemote looks the remote up as it is configured now. git takes a name
// that is no remote for a path or a URL, which would ask a stranger.
func (r *Repo) checkRemote(ctx context.Context, remote string) error {
	unknown := &RemoteError{Remote: remote, Fault: RemoteUnknown, Err: errors.New("no remote of that name is configured")}
	if remote == "" || strings.ContainsAny(remote, "\x00\n") {
		return unknown
	}
	out, err := r.Git(ctx, "config", "-z", "--get-all", "remote."+remote+".url")
	switch status, exited := Status(err); {
	case exited && status == 1, err == nil && strings.Trim(string(out), "\x00") == "":
		return unknown
	case err != nil:
		return remoteError(remote, err)
	}
	return nil
}

// remoteCommand is a command that reads from a remote.
func remoteCommand(args []string) Command {
	return Command{Args: append([]string{"-c", "credential.interactive=false"}, args...), Network: true, Grace: remoteGrace}
}
