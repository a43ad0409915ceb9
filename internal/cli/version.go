package cli

import "runtime/debug"

// release is set by the release build's linker flags.
var release string

// Version is the version of this build: the release it was built as, else the
// module's version, with the commit where the toolchain recorded it.
func Version() string {
	if release != "" {
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	version := info.Main.Version
	if version == "" {
		version = "(devel)"
	}
	for _, setting := range info.Settings {
		if setting.Key == "vcs.revision" && version == "(devel)" {
			return version + " " + setting.Value
		}
	}
	return version
}
