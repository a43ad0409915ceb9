package gitx

import "fmt"

// ReachesWithin reports whether target is from or one of its ancestors, by
// reading at most limit commits in breadth, without a process. It is for the
// usual case, in which the answer is near: a fast-forward, a merge. Where it
// found nothing and is not complete, nothing is known: ask IsAncestor. Commits
// that are known not to reach target may be named in exclude; they are not
// walked into.
//
// A commit that is not here (partial clone, edge of a shallow one) makes the
// answer incomplete; it is no error unless it is from itself.
func (b *Batch) ReachesWithin(from, target OID, limit int, exclude ...OID) (found, complete bool, err error) {
	if from == target {
		return true, true, nil
	}
	seen := map[OID]bool{from: true}
	for _, oid := range exclude {
		seen[oid] = true
	}
	complete = true
	for level := []OID{from}; len(level) > 0; {
		if len(level) > limit {
			level, complete = level[:max(limit, 0)], false
		}
		limit -= len(level)
		parents, missing, err := b.parents(level)
		if err != nil {
			return false, false, err
		}
		if missing {
			complete = false
		}
		level = nil
		for _, parent := range parents {
			if parent == target {
				return true, true, nil
			}
			if !seen[parent] {
				seen[parent] = true
				level = append(level, parent)
			}
		}
	}
	return false, complete, nil
}

// parents returns the parents of all commits, and whether one of the commits
// is not here.
func (b *Batch) parents(commits []OID) (parents []OID, missing bool, err error) {
	names := make([]string, len(commits))
	for i, oid := range commits {
		names[i] = oid.String()
	}
	var wrong error // about one object; the answers about the others follow
	for from := 0; from < len(names); {
		answered, err := b.exchange("contents", names[from:], func(c *batchChild, i int) error {
			info, err := c.header(b.repo.format, names[from+i])
			if err != nil {
				return err
			}
			if info.Missing {
				missing = true
				return nil
			}
			content, err := c.body(info.Size, maxTreeOrCommit)
			if err != nil {
				return err
			}
			of, err := parentsIn(info, content)
			if err != nil {
				wrong = err
			}
			parents = append(parents, of...)
			return nil
		})
		if err != nil {
			return nil, false, err
		}
		if from += answered; from < len(names) {
			missing = true
			from++
		}
	}
	return parents, missing, wrong
}

// parentsIn reads no more of a commit than a walk needs, so that an odd line
// further down does not stop it.
func parentsIn(info ObjectInfo, content []byte) ([]OID, error) {
	if info.Type != TypeCommit {
		return nil, fmt.Errorf("walk history: %s is a %s, not a commit", info.OID, info.Type)
	}
	_, parents, _, err := cutCommitLinks(info.OID.Format(), content)
	if err != nil {
		return nil, fmt.Errorf("walk history: commit %s: %w", info.OID, err)
	}
	return parents, nil
}
