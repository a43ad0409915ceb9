package gate

import "testing"

func TestCannotFail(t *testing.T) {
	for _, line := range []string{
		"", "  ", "# nothing", "true", " true ", "true;", "true ; ;", ":", ": all is well", "exit 0", "exit", "exit 00",
		"echo", "echo ok", "echo $HOME", `echo "all $X is fine!"`, "echo done!", "echo ok > log", "true 2>&1", "echo ok 2>&1 | echo ok",
		"/bin/true", "/usr/bin/echo x", "'true'", `"true"`, "command true", "exec true", "env X=1 true", "X=1 true", "X=1",
		"sh -c true", "sh -c 'exit 0'", "/bin/bash -ec 'echo ok'", "bash -lc true", "sh -c 'sh -c :'",
		"make test; true", "make test || true", "make test || echo failed", "make test | true", "make test &",
		"make && make test || :", "true && echo ok", "make test\ntrue", "make test\ntrue\n", "true # make test", "nohup true",
	} {
		if !cannotFail(line) {
			t.Errorf("%q is taken for a command that can fail", line)
		}
	}
	for _, line := range []string{
		"make test", "true && make test", "make test && true", "false", "exit 1", "exit $x", "! true", "truer", "./true.sh", "echoes",
		"true; make", "sh test.sh", "sh -c 'make test'", "sh -c", "bash -x run", "true || true && make", "echo x | grep y",
		"(true)", "{ true; }", "echo $(make)", "echo `make`", "set -e; make; true", "if make; then true; fi", `echo "$(make)"`,
		"test -f x", "make & wait", `tr\ue`, "'unclosed", "env make", "A=$(make) true", "grep -q true file", "true | make",
	} {
		if cannotFail(line) {
			t.Errorf("%q is taken for a command that cannot fail", line)
		}
	}
}

func FuzzCannotFail(f *testing.F) {
	for _, seed := range []string{"true", "a && b || c", "sh -c 'x'", "# x\n", "2>&1", "'", `"$("`, "&|;"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if cannotFail(line) != cannotFail(line+"\n") {
			t.Errorf("%q: a line end decides", line)
		}
		if cannotFail("make test && "+line+" && make test") && !cannotFail(line) {
			t.Errorf("%q makes a command that can fail look as if it could not", line)
		}
	})
}
