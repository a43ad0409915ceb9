package gitx_test

import (
	"errors"
	"math/rand/v2"
	"os/exec"
	"strings"
	"testing"

	"git-continuity/gitx"
)

// gitAccepts asks git itself. Names with NUL cannot be asked for.
func gitAccepts(t *testing.T, name string) bool {
	t.Helper()
	err := exec.Command("git", "check-ref-format", name).Run()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		t.Fatalf("git check-ref-format %q: %v", name, err)
	}
	return err == nil
}

var refNames = []string{
	"refs/heads/main", "refs/heads/a/b", "refs/x", "refs/heads/é", "refs/heads/\xff\xfe",
	"refs/heads/$(touch x)", "refs/heads/a;b", `refs/heads/"q"`, "refs/heads/'q'", "refs/heads/-x",
	"refs/heads/@", "refs/heads/a@b", "refs/heads/{a}", "refs/heads/a.b", "refs/heads/HEAD",
	"refs/heads/x.lockx", "refs/heads/\u202e", "refs/heads/a\u00a0b",
	"refs", "refs/", "refs//x", "refs/heads/", "refs/heads//x", "refs/heads/x/",
	"refs/heads/.x", "refs/heads/x.", "refs/heads/x./y", "refs/heads/a..b", "refs/heads/x.lock",
	"refs/heads/x.lock/y", "refs/heads/.lock", "refs/heads/a@{b", "refs/heads/a b", "refs/heads/a\tb",
	"refs/heads/a\nb", "refs/heads/a\x7fb", "refs/heads/a~b", "refs/heads/a^b", "refs/heads/a:b",
	"refs/heads/a?b", "refs/heads/a*b", "refs/heads/a[b", `refs/heads/a\b`, "refs/heads/../x", "refs/./x",
}

func TestParseRefNameAgreesWithGit(t *testing.T) {
	for _, name := range refNames {
		compareWithGit(t, name)
	}
	// Random names of the bytes that the rules are about; the seed is fixed so
	// that a difference can be found again.
	const alphabet = "ab./@{}lock~^:?*[\\ \x01\x7f\xc3-"
	random := rand.New(rand.NewPCG(1, 2))
	for range 150 {
		b := make([]byte, 1+random.IntN(8))
		for i := range b {
			b[i] = alphabet[random.IntN(len(alphabet))]
		}
		name := "refs/" + string(b)
		if random.IntN(8) == 0 {
			name += ".lock"
		}
		compareWithGit(t, name)
	}
}

func compareWithGit(t *testing.T, name string) {
	t.Helper()
	got, err := gitx.ParseRefName(name)
	if want := gitAccepts(t, name); (err == nil) != want {
		t.Errorf("ParseRefName(%q): %v; git accepts it: %v", name, err, want)
	}
	if err == nil && string(got) != name {
		t.Errorf("ParseRefName(%q) = %q", name, got)
	}
	var bad *gitx.RefNameError
	if err != nil && (!errors.As(err, &bad) || bad.Name != name || got != "") {
		t.Errorf("ParseRefName(%q) = %q, %v", name, got, err)
	}
}

func TestParseRefNameWantsFullNames(t *testing.T) {
	if name, err := gitx.ParseRefName("HEAD"); err != nil || name != gitx.HEAD {
		t.Errorf("ParseRefName(HEAD) = %q, %v", name, err)
	}
	for _, s := range []string{"", "main", "heads/main", "ORIG_HEAD", "@", "-refs/x", "REFS/x", "refs/\x00"} {
		if name, err := gitx.ParseRefName(s); err == nil {
			t.Errorf("ParseRefName(%q) = %q, want an error", s, name)
		}
	}
}

func TestBranchRef(t *testing.T) {
	name, err := gitx.BranchRef("feature/x")
	if err != nil || name != "refs/heads/feature/x" || !name.IsBranch() || name.IsRemote() {
		t.Errorf("BranchRef = %q, %v", name, err)
	}
	for _, s := range []string{"", "-x", "HEAD", "a b", "@{-1}", "x.lock", "a\nb"} {
		if name, err := gitx.BranchRef(s); err == nil {
			t.Errorf("BranchRef(%q) = %q, want an error", s, name)
		}
	}
}

func TestRefNameShort(t *testing.T) {
	for name, want := range map[gitx.RefName]string{
		"refs/heads/a/b": "a/b", "refs/remotes/origin/x": "origin/x", "refs/tags/v1": "v1",
		"refs/notes/landings": "notes/landings", "HEAD": "HEAD", "refs/heads/refs/heads/x": "refs/heads/x",
	} {
		if got := name.Short(); got != want {
			t.Errorf("%q.Short() = %q, want %q", name, got, want)
		}
	}
}

func FuzzParseRefName(f *testing.F) {
	for _, name := range refNames {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, s string) {
		name, err := gitx.ParseRefName(s)
		if err != nil {
			return
		}
		if string(name) != s || strings.ContainsAny(s, "\x00\n\r\x1b \\") || strings.Contains(s, "..") {
			t.Errorf("ParseRefName(%q) = %q", s, name)
		}
	})
}
