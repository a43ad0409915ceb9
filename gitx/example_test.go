package gitx_test

import (
	"context"
	"errors"
	"fmt"

	"git-continuity/gitx"
)

// Hashing needs no git process and no repository.
func ExampleHashObject() {
	fmt.Println(gitx.HashObject(gitx.SHA1, gitx.TypeBlob, []byte("hello\n")))
	fmt.Println(gitx.HashObject(gitx.SHA256, gitx.TypeBlob, []byte("hello\n")).Abbrev())
	// Output:
	// ce013625030ba8dba906f756967f9e9ca394464a
	// 2cf8d83d9ee2
}

// A name that people type is checked before it can reach git.
func ExampleBranchRef() {
	fmt.Println(gitx.BranchRef("feature/login"))
	_, err := gitx.BranchRef("--force")
	fmt.Println(err)
	// Output:
	// refs/heads/feature/login <nil>
	// ref name "--force": begins with '-'
}

// A ref is moved from what was read. Who lost a race reads again and computes
// again; nobody is overwritten.
func ExampleRepo_UpdateRef() {
	ctx := context.Background()
	repo, err := gitx.Open(ctx, gitx.OpenOptions{})
	if err != nil {
		return
	}
	const log gitx.RefName = "refs/example/log"
	for {
		tip, exists, err := repo.ResolveRef(ctx, log)
		if err != nil {
			return
		}
		tree, err := repo.MkTree(ctx, nil)
		if err != nil {
			return
		}
		entry := gitx.CommitSpec{Tree: tree, Message: "an entry"}
		expect := gitx.Absent()
		if exists {
			entry.Parents, expect = []gitx.OID{tip}, gitx.At(tip)
		}
		commit, err := repo.CommitTree(ctx, entry)
		if err != nil {
			return
		}
		err = repo.UpdateRef(ctx, gitx.RefEdit{Name: log, New: commit, Old: expect}, "log: an entry")
		var conflict *gitx.ConflictError
		if !errors.As(err, &conflict) {
			return
		}
	}
}

// One process answers many questions; a ref is read anew each time.
func ExampleBatch_Info() {
	ctx := context.Background()
	repo, err := gitx.Open(ctx, gitx.OpenOptions{})
	if err != nil {
		return
	}
	batch, err := repo.NewBatch(ctx)
	if err != nil {
		return
	}
	defer batch.Close()
	infos, err := batch.Info("refs/heads/main", "refs/heads/topic")
	if err != nil {
		return
	}
	for _, info := range infos {
		fmt.Println(info.OID, info.Type, info.Missing)
	}
}
