package gitx

import (
	"context"
	"errors"
	"fmt"
	"strings"
)

// A Ref is a ref with what it points at.
type Ref struct {
	Name RefName
	// OID is the object that the ref holds, not peeled: a tag object for an
	// annotated tag.
	OID OID
	// Type is the type of that object.
	Type ObjectType
	// Symref is the ref that a symbolic ref points at; "" for others.
	Symref RefName
}

// A NotFoundError reports a revision that names no object here.
type NotFoundError struct {
	Rev string
	// Err is git's own answer.
	Err error
}

// Error names the revision.
func (e *NotFoundError) Error() string { return fmt.Sprintf("revision %q names no object", e.Rev) }

// Unwrap returns git's own answer.
func (e *NotFoundError) Unwrap() error { return e.Err }

// An AmbiguousError reports an abbreviated id that begins several objects' ids.
type AmbiguousError struct {
	Rev        string
	Candidates []OID
}

// Error names the revision and the number of candidates.
func (e *AmbiguousError) Error() string {
	return fmt.Sprintf("revision %q is ambiguous: %d objects begin so", e.Rev, len(e.Candidates))
}

// A MissingObjectError reports an object that the repository should have, and
// has not: it was never fetched (partial and shallow clones), or it was lost.
type MissingObjectError struct {
	// Name is the id, or the revision by which the object was asked for.
	Name string
	// Err is git's own answer, or nil.
	Err error
}

// Error names the object.
func (e *MissingObjectError) Error() string { return fmt.Sprintf("object %q is missing", e.Name) }

// Unwrap returns git's own answer, if there is one.
func (e *MissingObjectError) Unwrap() error { return e.Err }

// A BrokenRefError reports a ref that exists and cannot be read. It must never
// be taken for an absent one: who does so replaces history by nothing.
type BrokenRefError struct {
	Name RefName
	// Err is git's own answer.
	Err error
}

// Error names the ref.
func (e *BrokenRefError) Error() string {
	return fmt.Sprintf("ref %q cannot be read: %v", e.Name, e.Err)
}

// Unwrap returns git's own answer.
func (e *BrokenRefError) Unwrap() error { return e.Err }

// ResolveRef returns the object that a ref points at, symbolic refs followed. It
// is false where there is no such ref, or a symbolic one leads to none. The name
// is taken as it is: a branch "refs/heads/x" is no answer to "refs/heads/refs/heads/x",
// nor the other way round. Whether the object exists is not asked.
//
// A ref that cannot be read is a *BrokenRefError.
func (r *Repo) ResolveRef(ctx context.Context, name RefName) (OID, bool, error) {
	if _, err := ParseRefName(string(name)); err != nil {
		return OID{}, false, err
	}
	if name == HEAD {
		return r.resolveHEAD(ctx)
	}
	out, err := r.Git(ctx, "for-each-ref", "--format=%(objectname) %(refname)", string(name))
	if err != nil {
		return OID{}, false, err
	}
	for line := range strings.Lines(string(out)) {
		if hex, found, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); found == string(name) {
			oid, err := ParseOID(hex)
			return oid, err == nil, err
		}
	}
	// for-each-ref passes over broken refs with a warning and status 0.
	if _, _, err := r.SymbolicRef(ctx, name); err != nil {
		return OID{}, false, err
	}
	return OID{}, false, nil
}

// resolveHEAD is ResolveRef for the ref that for-each-ref does not list.
func (r *Repo) resolveHEAD(ctx context.Context) (OID, bool, error) {
	branch, symbolic, err := r.SymbolicRef(ctx, HEAD)
	if err != nil {
		return OID{}, false, err
	}
	if symbolic && branch != HEAD {
		return r.ResolveRef(ctx, branch)
	}
	out, err := r.Git(ctx, "show-ref", "--verify", "--hash", string(HEAD))
	if _, exited := Status(err); exited {
		return OID{}, false, &BrokenRefError{Name: HEAD, Err: err}
	}
	if err != nil {
		return OID{}, false, err
	}
	oid, err := ParseOID(strings.TrimSuffix(string(out), "\n"))
	return oid, err == nil, err
}

// SymbolicRef returns the ref that a symbolic ref finally leads to, which need
// not exist. It is false for a ref that holds an object, and for one that does
// not exist. A ref that cannot be read is a *BrokenRefError.
func (r *Repo) SymbolicRef(ctx context.Context, name RefName) (RefName, bool, error) {
	if _, err := ParseRefName(string(name)); err != nil {
		return "", false, err
	}
	out, err := r.Git(ctx, "symbolic-ref", "--quiet", string(name))
	switch status, exited := Status(err); {
	case exited && status == 1:
		return "", false, nil
	case exited && status != 0:
		return "", false, &BrokenRefError{Name: name, Err: err}
	case err != nil:
		return "", false, err
	}
	target, err := ParseRefName(strings.TrimSuffix(string(out), "\n"))
	return target, err == nil, err
}

// refFormat makes for-each-ref print what parseRefs reads. Names, ids and types
// hold neither blanks nor newlines.
const refFormat = "%(objectname) %(objecttype) %(refname) %(symref)"

// Refs lists the refs with one of the prefixes, all of them without one, by
// name. A prefix is a full ref name or the name of a folder ("refs/heads/" or
// "refs/heads"); it may hold no wildcards. Refs that cannot be read are left
// out, as git leaves them out: ask ResolveRef where that matters.
func (r *Repo) Refs(ctx context.Context, prefixes ...string) ([]Ref, error) {
	args := []string{"for-each-ref", "--format=" + refFormat}
	for _, prefix := range prefixes {
		if _, err := ParseRefName(strings.TrimSuffix(prefix, "/")); err != nil && prefix != refsPrefix {
			return nil, fmt.Errorf("list refs: %w", err)
		}
		args = append(args, prefix)
	}
	out, err := r.Git(ctx, args...)
	if err != nil {
		return nil, err
	}
	return parseRefs(string(out))
}

func parseRefs(out string) ([]Ref, error) {
	var refs []Ref
	for line := range strings.Lines(out) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(fields) != 4 {
			return nil, fmt.Errorf("read the answer of git for-each-ref: %q", line)
		}
		oid, err := ParseOID(fields[0])
		if err != nil {
			return nil, fmt.Errorf("read the answer of git for-each-ref: %w", err)
		}
		refs = append(refs, Ref{
			OID: oid, Type: ObjectType(fields[1]), Name: RefName(fields[2]), Symref: RefName(fields[3]),
		})
	}
	return refs, nil
}

// RevParse returns the object that a user's text names, by all the rules of
// gitrevisions(7). A full id is returned as it is, whether the object exists or
// not. The errors are *NotFoundError where the text names none, *AmbiguousError
// where it abbreviates several, and *ExitError where git cannot tell.
func (r *Repo) RevParse(ctx context.Context, rev string) (OID, error) {
	if rev == "" || strings.ContainsRune(rev, 0) {
		return OID{}, &NotFoundError{Rev: rev}
	}
	out, err := r.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", rev)
	switch status, exited := Status(err); {
	case exited && status == 1:
		return OID{}, r.notFound(ctx, rev, err)
	case err != nil:
		return OID{}, err
	}
	text := strings.TrimSuffix(string(out), "\n")
	oid, err := ParseOID(text)
	if err != nil {
		return OID{}, &NotFoundError{Rev: rev, Err: errors.New("it names a set, not an object: " + text)}
	}
	return oid, nil
}

// minAbbrev is the length of the shortest abbreviated id that git accepts.
const minAbbrev = 4

// notFound tells an abbreviation of several ids from a name of nothing.
func (r *Repo) notFound(ctx context.Context, rev string, cause error) error {
	if len(rev) >= minAbbrev && strings.Trim(rev, "0123456789abcdef") == "" {
		out, err := r.Git(ctx, "rev-parse", "--disambiguate="+rev)
		if err != nil {
			return err
		}
		ambiguous := &AmbiguousError{Rev: rev}
		for _, hex := range strings.Fields(string(out)) {
			if oid, err := ParseOID(hex); err == nil {
				ambiguous.Candidates = append(ambiguous.Candidates, oid)
			}
		}
		if len(ambiguous.Candidates) > 1 {
			return ambiguous
		}
	}
	return &NotFoundError{Rev: rev, Err: cause}
}
