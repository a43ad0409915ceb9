package gitx

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A TreeMerge asks for the three-way merge of trees: what leads from Base to
// Theirs is to be done to Ours.
type TreeMerge struct {
	Base, Ours, Theirs OID
}

// A MergedTree answers a TreeMerge.
type MergedTree struct {
	// Clean is false where a path was in conflict.
	Clean bool
	// Tree is the merged tree. It was not stored: unless it is a tree that was
	// there before, its id is all there is. Zero unless Clean.
	Tree OID
}

// MergeTrees merges trees as evidence: with git's "ort" strategy, in one process
// for all of them, without a trace in the repository, and with the same answer
// whoever asks. No setting of merges, renames or diffs plays a part, and neither
// work tree, index nor the attributes files have a say; where $GIT_DIR/info/attributes
// names a merge driver, a path that would need it is in conflict.
//
// The error is a *MissingObjectError where an object that a merge needs is not
// here; it is never fetched. Older versions of git, as the floor, take a file that
// is not here for a conflict, unless the clone is a partial one.
func (b *Batch) MergeTrees(ctx context.Context, merges []TreeMerge) ([]MergedTree, error) {
	if len(merges) == 0 {
		return nil, nil
	}
	if err := b.checkTrees(merges); err != nil {
		return nil, err
	}
	q, err := b.repo.newQuarantine()
	if err != nil {
		return nil, err
	}
	defer q.remove()
	return q.merge(ctx, merges)
}

// A FileMerge asks for the three-way merge of the contents of a file, by their
// blobs.
type FileMerge struct {
	Base, Ours, Theirs OID
}

// A MergedFile answers a FileMerge.
type MergedFile struct {
	// Clean is false where the changes were in conflict.
	Clean bool
	// Ours reports a clean merge that changes nothing: Ours has it all already.
	Ours bool
}

// MergeFiles merges contents as MergeTrees would merge a file that has one path in
// all three trees, in one process for all of them.
func (b *Batch) MergeFiles(ctx context.Context, merges []FileMerge) ([]MergedFile, error) {
	if len(merges) == 0 {
		return nil, nil
	}
	q, err := b.repo.newQuarantine()
	if err != nil {
		return nil, err
	}
	defer q.remove()
	trees := make([]TreeMerge, len(merges))
	for i, m := range merges {
		for _, side := range []struct {
			blob OID
			tree *OID
		}{{m.Base, &trees[i].Base}, {m.Ours, &trees[i].Ours}, {m.Theirs, &trees[i].Theirs}} {
			if *side.tree, err = q.tree(side.blob); err != nil {
				return nil, err
			}
		}
	}
	merged, err := q.merge(ctx, trees)
	if err != nil {
		return nil, err
	}
	files := make([]MergedFile, len(merged))
	for i, m := range merged {
		files[i] = MergedFile{Clean: m.Clean, Ours: m.Clean && m.Tree == trees[i].Ours}
	}
	return files, nil
}

// merge merges trees that are here.
func (q *quarantine) merge(ctx context.Context, merges []TreeMerge) ([]MergedTree, error) {
	r := q.repo
	stdin, err := q.mergeInput(merges)
	if err != nil {
		return nil, err
	}
	drivers, err := r.mergeDrivers()
	if err != nil {
		return nil, err
	}
	out, err := r.Common().Run(ctx, Command{
		Args:  append(mergeSettings(drivers), "merge-tree", "--write-tree", "--stdin", "--name-only", "--no-messages"),
		Stdin: stdin, Dir: q.dir, Env: append(q.env(), mergeEnv(r.format)...),
	})
	if err != nil {
		return nil, q.explainMerges(ctx, err, out, merges)
	}
	merged, rest, err := parseMergedTrees(r.format, out)
	if err == nil && (rest > 0 || len(merged) != len(merges)) {
		err = fmt.Errorf("%d answers and %d bytes to %d questions", len(merged), rest, len(merges))
	}
	if err != nil {
		return nil, fmt.Errorf("read the answer of git merge-tree: %w", err)
	}
	return merged, nil
}

// checkTrees asks whether all trees are here: a git before 2.44 takes a tree that is
// not for an empty one.
func (b *Batch) checkTrees(merges []TreeMerge) error {
	var names []string
	seen := map[OID]bool{}
	for _, m := range merges {
		for _, tree := range []OID{m.Base, m.Ours, m.Theirs} {
			if !seen[tree] {
				seen[tree] = true
				names = append(names, tree.HexOr(b.repo.format))
			}
		}
	}
	infos, err := b.Info(names...)
	if err != nil {
		return err
	}
	for i, info := range infos {
		switch {
		case info.Missing:
			return &MissingObjectError{Name: names[i]}
		case info.Type != TypeTree:
			return fmt.Errorf("merge trees: %s is a %s", names[i], info.Type)
		}
	}
	return nil
}

// refusingDriver is a merge driver that always finds a conflict. Its blank makes
// git hand it to the shell, so that no program has to be found.
const refusingDriver = "exit 1"

// driverVar is the variable that carries refusingDriver: a driver's name may
// hold an equals sign, which "-c" would cut at.
const driverVar = "GIT_CONTINUITY_MERGE_DRIVER"

// mergeEnv keeps attributes and remotes out of a merge. Git before 2.41 does not
// know GIT_ATTR_SOURCE, but reads no attributes where there is no work tree; git
// before 2.45 does not know GIT_NO_LAZY_FETCH, but has no transport left.
func mergeEnv(format ObjectFormat) []string {
	return []string{
		"GIT_ATTR_NOSYSTEM=1",
		"GIT_ATTR_SOURCE=" + HashObject(format, TypeTree, nil).String(),
		"GIT_ALLOW_PROTOCOL=none",
		driverVar + "=" + refusingDriver,
	}
}

// mergeSettings pins what git would read from the configuration. The default
// driver gets a name that nobody uses: git takes its own for it.
func mergeSettings(drivers []string) []string {
	args := []string{
		"-c", "merge.default=git-continuity-none",
		"-c", "merge.renames=true", "-c", "diff.renames=true",
		"-c", "merge.renameLimit=1000", "-c", "diff.renameLimit=1000",
		"-c", "merge.directoryRenames=false",
		"-c", "merge.renormalize=false",
		"-c", "merge.conflictStyle=merge",
		"-c", "diff.algorithm=histogram",
		"-c", "core.attributesFile=" + os.DevNull,
		"-c", "core.fsync=none", "-c", "core.looseCompression=0",
	}
	for _, name := range drivers {
		args = append(args, "--config-env=merge."+name+".driver="+driverVar)
	}
	return args
}

// mergeDrivers names every merge driver that could be chosen for a path: those
// that are configured, git's own beside the one for text, and those that the one
// attributes file names that git cannot be kept from. A driver of a user goes
// before one of git's own by the same name.
func (r *Repo) mergeDrivers() ([]string, error) {
	names := append(r.config.Subsections("merge"), "binary", "text", "union")
	attributes, err := os.ReadFile(filepath.Join(r.commonDir, "info", "attributes"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("look for merge drivers: %w", err)
	}
	for _, field := range strings.Fields(string(attributes)) {
		if name, ok := strings.CutPrefix(field, "merge="); ok && name != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// parseMergedTrees reads what `git merge-tree --stdin --name-only --no-messages`
// writes for each merge: "1" or "0", NUL, the id of a tree, NUL, the names of
// the paths in conflict with a NUL each, NUL. It returns how many bytes follow
// the last whole answer.
func parseMergedTrees(format ObjectFormat, out []byte) (merged []MergedTree, rest int, err error) {
	for len(out) > 0 {
		var fields []string
		after := out
		for {
			field, next, ok := bytes.Cut(after, []byte{0})
			if !ok {
				return merged, len(out), nil
			}
			after = next
			if len(field) == 0 && len(fields) >= 2 {
				break
			}
			fields = append(fields, string(field))
		}
		clean, conflicts := fields[0] == "1", fields[2:]
		if !clean && fields[0] != "0" || clean != (len(conflicts) == 0) {
			return nil, 0, fmt.Errorf("status %.20q with %d conflicts", fields[0], len(conflicts))
		}
		tree, err := ParseOID(fields[1])
		if err != nil || tree.Format() != format {
			return nil, 0, fmt.Errorf("no tree but %.80q", fields[1])
		}
		if !clean {
			tree = OID{}
		}
		merged, out = append(merged, MergedTree{Clean: clean, Tree: tree}), after
	}
	return merged, 0, nil
}

// explainMerges finds out whether git stopped at a merge because an object is not
// here, which its status does not tell.
func (q *quarantine) explainMerges(ctx context.Context, err error, out []byte, merges []TreeMerge) error {
	if _, exited := Status(err); !exited || ctx.Err() != nil {
		return err
	}
	done, _, bad := parseMergedTrees(q.repo.format, out)
	if bad != nil || len(done) >= len(merges) {
		return err
	}
	at := merges[len(done)]
	listed, listErr := q.repo.Run(ctx, Command{
		Args:  []string{"rev-list", "--objects", "--no-walk", "--missing=print", "--stdin"},
		Stdin: fmt.Appendf(nil, "%s\n%s\n%s\n", at.Base, at.Ours, at.Theirs),
		Env:   append(q.env(), "GIT_ALLOW_PROTOCOL=none"), MaxStdout: 1 << 30,
	})
	if listErr != nil {
		return errors.Join(err, listErr)
	}
	for line := range bytes.Lines(listed) {
		if name, ok := bytes.CutPrefix(line, []byte("?")); ok {
			return &MissingObjectError{Name: string(bytes.TrimSpace(name))}
		}
	}
	return err
}
