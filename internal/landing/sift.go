package landing

import (
	"context"
	"maps"
	"slices"
	"strings"

	"git-continuity/gitx"
)

// siftFrom is how many files the merges of a look may merge at most, counted as
// commits times paths, before one path is asked about first.
const siftFrom = 64

// maxSamples is how many paths are looked at in the search for that one.
const maxSamples = 32

// A sample is one file of a work, changed and neither brought, moved nor removed
// by it. Whatever holds the work holds the file's change, and where a commit has a
// file at that path, the merge of the file is a part of the merge of the trees.
type sample struct {
	path       string
	base, work gitx.OID
}

// sift returns those of the commits that may hold the work, and whether another
// one is in conflict with it: merging one file of a large change tells as a rule
// that the work is not there, and most commits of a move have the same file.
func (j *Judge) sift(ctx context.Context, w *work, asked []gitx.MainlineCommit) (left []gitx.MainlineCommit, conflict bool, err error) {
	if len(asked)*len(w.paths) <= j.siftFrom {
		return asked, false, nil
	}
	s, ok, err := j.sample(w)
	if err != nil || !ok {
		return asked, false, err
	}
	var names []string
	for _, c := range asked {
		names = append(names, c.Tree.String()+":"+s.path)
	}
	infos, err := j.batch.Info(names...)
	if err != nil {
		return nil, false, err
	}
	var merges []gitx.FileMerge
	at := map[gitx.OID]int{}
	for _, info := range infos {
		if _, seen := at[info.OID]; !seen && isBlob(info) {
			at[info.OID] = len(merges)
			merges = append(merges, gitx.FileMerge{Base: s.base, Ours: info.OID, Theirs: s.work})
		}
	}
	merged, err := j.batch.MergeFiles(ctx, merges)
	if err != nil {
		return nil, false, err
	}
	for i, info := range infos {
		if !isBlob(info) || merged[at[info.OID]].Ours {
			left = append(left, asked[i])
			continue
		}
		conflict = conflict || !merged[at[info.OID]].Clean
	}
	return left, conflict, nil
}

// sample finds one, if there is one among the first paths.
func (j *Judge) sample(w *work) (sample, bool, error) {
	var paths, names []string
	for _, path := range slices.Sorted(maps.Keys(w.paths)) {
		// These end a question to the process that reads objects.
		if strings.ContainsAny(path, "\n\r") {
			continue
		}
		if paths = append(paths, path); len(paths) > maxSamples {
			break
		}
		names = append(names, w.baseTree.String()+":"+path, w.tipTree.String()+":"+path)
	}
	infos, err := j.batch.Info(names...)
	if err != nil {
		return sample{}, false, err
	}
	for i := 0; i < len(infos); i += 2 {
		if base, work := infos[i], infos[i+1]; isBlob(base) && isBlob(work) && base.OID != work.OID {
			return sample{path: paths[i/2], base: base.OID, work: work.OID}, true, nil
		}
	}
	return sample{}, false, nil
}

// isBlob reports whether a path names a file (or a symlink, which is merged by
// its blob being the same) that is here.
func isBlob(info gitx.ObjectInfo) bool { return !info.Missing && info.Type == gitx.TypeBlob }
