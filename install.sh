#!/bin/sh
# Builds git-continuity and installs it below a prefix. See --help.
set -eu

usage() {
	cat <<'USAGE'
usage: install.sh [--prefix DIR]      build and install below DIR (~/.local)
       install.sh --uninstall [--prefix DIR]
       install.sh --build DIR         only build the commands into DIR
       install.sh --help

Installs the commands (bin), their manual pages (share/man/man1), and the
completions for bash, zsh and fish. What was installed is listed in
share/git-continuity/manifest below the prefix, and --uninstall removes exactly
that. A build that fails installs nothing.

Needs Go and git; the environment variable GO names another go command.
USAGE
}

git_floor=2.39.4
go=${GO:-go}

die() {
	printf 'error: %s\n' "$1" >&2
	[ $# -lt 2 ] || printf 'hint: %s\n' "$2" >&2
	exit 1
}

# at_least VERSION FLOOR compares dotted versions number by number.
at_least() {
	awk -v have="$1" -v want="$2" 'BEGIN {
		split(have, h, "."); split(want, w, ".")
		for (i = 1; i <= 3; i++) {
			if (h[i] + 0 > w[i] + 0) exit 0
			if (h[i] + 0 < w[i] + 0) exit 1
		}
		exit 0
	}'
}

check_git() {
	command -v git >/dev/null 2>&1 || die "git is not in PATH" "install git $git_floor or newer"
	git_version=$(git version | awk '{ print $3 }')
	at_least "$git_version" "$git_floor" ||
		die "git is $git_version; git-continuity needs $git_floor or newer" "install git $git_floor or newer"
}

check_go() {
	command -v "$go" >/dev/null 2>&1 || die "go is not in PATH" "install Go from https://go.dev/dl, or set GO"
	go_floor=$(awk '$1 == "go" { print $2; exit }' "$source/go.mod")
	# A go command prints "go version go1.26.1 linux/amd64", or "go version devel go1.27-0123abc …".
	go_version=$(GOTOOLCHAIN=local "$go" version | sed -n 's/.*go\([0-9][0-9.]*\).*/\1/p')
	at_least "$go_version" "$go_floor" ||
		die "go is ${go_version:-of unknown version}; git-continuity needs $go_floor or newer" "install Go from https://go.dev/dl, or set GO"
}

# commands prints the names of the commands, one a line.
commands() {
	for main in "$source"/cmd/*/main.go; do
		[ -e "$main" ] || die "there is no command to build in $source/cmd"
		basename "$(dirname "$main")"
	done
}

# build DIR builds every command into DIR.
build() {
	check_go
	version=
	if [ -e "$source/.git" ] && command -v git >/dev/null 2>&1; then
		# A hook's variables would point git at another repository.
		version=$(
			unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE GIT_COMMON_DIR
			GIT_OPTIONAL_LOCKS=0 git -C "$source" describe --tags --always --dirty 2>/dev/null
		) || version=
	fi
	if [ -z "${HOME:-}" ]; then
		# Go finds its caches by HOME.
		[ -n "${GOCACHE:-}${XDG_CACHE_HOME:-}" ] || { GOCACHE=$staging/go-cache; export GOCACHE; }
		[ -n "${GOMODCACHE:-}${GOPATH:-}" ] || { GOMODCACHE=$staging/go-modules; GOFLAGS="${GOFLAGS:-} -modcacherw"; export GOMODCACHE GOFLAGS; }
	fi
	names=$(commands)
	for name in $names; do
		echo "building $name (the first time this takes a while)" >&2
		(cd "$source" && CGO_ENABLED=0 GOTOOLCHAIN=local "$go" build -trimpath -buildvcs=false \
			-ldflags "-s -w -X git-continuity/internal/cli.release=$version" \
			-o "$1/$name" "./cmd/$name") || die "building $name failed; nothing was installed"
	done
}

# print_completion NAME SHELL prints the completion of a command that was just built.
print_completion() {
	"$tree/bin/$1" completion "$2" || die "$1 cannot print its completion for $2; nothing was installed"
}

# stage builds everything that is to be installed into $staging/tree.
stage() {
	tree=$staging/tree
	mkdir -p "$tree/bin" "$tree/share/man/man1" "$tree/share/bash-completion/completions" \
		"$tree/share/zsh/site-functions" "$tree/share/fish/vendor_completions.d"
	build "$tree/bin"
	for name in $names; do
		print_completion "$name" bash >"$tree/share/bash-completion/completions/$name"
		print_completion "$name" zsh >"$tree/share/zsh/site-functions/_$name"
		print_completion "$name" fish >"$tree/share/fish/vendor_completions.d/$name.fish"
	done
	for page in "$source"/man/*.1; do
		[ ! -e "$page" ] || cp "$page" "$tree/share/man/man1/"
	done
	(cd "$tree" && find . -type f | sed 's,^\./,,' | LC_ALL=C sort) >"$staging/files"
}

# owned FILE reports whether the manifest of an earlier installation has FILE.
owned() {
	[ -f "$manifest" ] && grep -Fqx "file $1" "$manifest"
}

# make_dir DIR makes a directory below the prefix and the parents it lacks, and
# notes those that it made: they are removed again when they are empty.
make_dir() {
	[ ! -d "$prefix/$1" ] || return 0
	case $1 in */*) make_dir "${1%/*}" ;; esac
	mkdir "$prefix/$1" || die "cannot make the directory $prefix/$1"
	printf 'dir %s\n' "$1" >>"$staging/dirs"
}

# put FROM TO MODE puts a file in place by rename, so that a reader or a running
# command sees the old file or the new one, whole.
put() {
	half=$2.new.$$
	if ! { cp "$1" "$half" && chmod "$3" "$half" && mv -f "$half" "$2"; }; then
		die "cannot write $2" "run '$0 --uninstall --prefix $prefix' to remove what is there"
	fi
	half=
}

# write_manifest LIST… puts the lines of the lists in place as the manifest.
write_manifest() {
	LC_ALL=C sort -u "$@" >"$staging/manifest"
	put "$staging/manifest" "$manifest" 644
}

install_tree() {
	while IFS= read -r file; do
		[ ! -d "$prefix/$file" ] || die "$prefix/$file is a directory"
		if [ -e "$prefix/$file" ] && ! owned "$file"; then
			die "$prefix/$file was not installed by this script" "move it away, or choose another --prefix"
		fi
	done <"$staging/files"

	# The first manifest names the old and the new files: should anything end
	# this script half-way, --uninstall still finds all of them.
	{ sed 's/^/file /' "$staging/files"; echo "file share/git-continuity/manifest"; } >"$staging/new"
	: >"$staging/old"
	[ ! -f "$manifest" ] || cp "$manifest" "$staging/old"
	grep '^dir ' "$staging/old" >"$staging/dirs" || true
	if [ ! -d "$prefix" ]; then
		mkdir -p "$prefix" || die "cannot make the directory $prefix"
		echo "dir ." >>"$staging/dirs"
	fi
	make_dir share/git-continuity
	while IFS= read -r file; do
		make_dir "${file%/*}"
	done <"$staging/files"
	write_manifest "$staging/new" "$staging/old" "$staging/dirs"

	while IFS= read -r file; do
		case $file in bin/*) mode=755 ;; *) mode=644 ;; esac
		put "$staging/tree/$file" "$prefix/$file" "$mode"
	done <"$staging/files"
	grep '^file ' "$staging/old" | while read -r _ file; do
		grep -Fqx "file $file" "$staging/new" || remove "$file"
	done
	write_manifest "$staging/new" "$staging/dirs"
}

# remove FILE removes a file below the prefix; a manifest that was tampered with
# does not lead out of it.
remove() {
	case /$1/ in */../* | //*) die "the manifest $manifest names \"$1\", outside the prefix" ;; esac
	rm -f "$prefix/$1"
}

uninstall() {
	[ -f "$manifest" ] || die "nothing is installed below $prefix" "name the prefix of the installation with --prefix"
	cp "$manifest" "$staging/old"
	grep '^file ' "$staging/old" | while read -r _ file; do
		[ "$file" = share/git-continuity/manifest ] || remove "$file"
	done
	remove share/git-continuity/manifest
	# Deepest first; a directory in which somebody else put something stays.
	grep '^dir ' "$staging/old" | LC_ALL=C sort -r | while read -r _ dir; do
		case /$dir/ in
		*/../* | //*) ;;
		/./) rmdir "$prefix" 2>/dev/null || true ;;
		*) rmdir "$prefix/$dir" 2>/dev/null || true ;;
		esac
	done
	printf 'removed git-continuity from %s\n' "$prefix"
}

# advise says what the user's shell needs in order to find what was installed.
advise() {
	case :${PATH:-}: in
	*:"$prefix/bin":*) ;;
	*)
		printf '\n%s is not in PATH. Add to the start file of your shell:\n' "$prefix/bin"
		printf "    export PATH=\"%s:\$PATH\"\n" "$prefix/bin"
		;;
	esac
	# man finds share/man beside a bin in PATH by itself, unless MANPATH is set
	# and has no empty element, which would stand for that default.
	case :${MANPATH:-}: in
	::: | :: | *:"$prefix/share/man":*) ;;
	*::*) ;;
	*)
		printf '\n%s is not in MANPATH. Add to the start file of your shell:\n' "$prefix/share/man"
		printf "    export MANPATH=\"%s:\$MANPATH\"\n" "$prefix/share/man"
		;;
	esac
}

# absolute PATH prints PATH as seen from the root, without a slash at its end.
absolute() {
	case $1 in
	\~ | \~/*) die "the shell left the ~ in $1 as it is" "write \$HOME instead" ;;
	/*) path=$1 ;;
	*) path=$(pwd)/$1 ;;
	esac
	while [ "$path" != / ] && [ "${path%/}" != "$path" ]; do path=${path%/}; done
	printf '%s\n' "$path"
}

source=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
prefix=${HOME:+$HOME/.local}
action=install
while [ $# -gt 0 ]; do
	case $1 in
	--prefix | --build)
		[ -n "${2:-}" ] || die "$1 needs a directory" "see '$0 --help'"
		case $1 in --prefix) prefix=$2 ;; *) action=build target=$2 ;; esac
		shift
		;;
	--prefix=?*) prefix=${1#--prefix=} ;;
	--uninstall) action=uninstall ;;
	-h | --help) usage; exit 0 ;;
	*) die "unknown argument \"$1\"" "see '$0 --help'" ;;
	esac
	shift
done

half=
staging=$(mktemp -d)
trap 'rm -rf "$staging"; [ -z "$half" ] || rm -f "$half"' EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

if [ "$action" = build ]; then
	target=$(absolute "$target")
	mkdir -p "$target"
	build "$target"
	exit 0
fi
[ -n "$prefix" ] || die "HOME is not set" "name a directory with --prefix"
prefix=$(absolute "$prefix")
manifest=$prefix/share/git-continuity/manifest
if [ "$action" = uninstall ]; then
	uninstall
	exit 0
fi
check_git
stage
install_tree
printf 'installed below %s:\n' "$prefix"
sed 's/^/    /' "$staging/files"
advise
