package gitx

import (
	"path/filepath"
	"strings"
)

// batchSSH returns the variables that keep the user's own ssh command from
// asking. git looks for that command in GIT_SSH_COMMAND, core.sshCommand and
// GIT_SSH, in this order. The command stays as it is, with one option more;
// a program of the "simple" kind, which takes no options, stays untouched.
func batchSSH(env Env, config *Config) []string {
	command, ok := env.Lookup("GIT_SSH_COMMAND")
	if !ok || command == "" {
		command, ok = config.String("core.sshCommand")
	}
	if !ok || command == "" {
		if program, set := env.Lookup("GIT_SSH"); set && program != "" {
			command = shellQuote(program)
		} else {
			command = "ssh"
		}
	}
	option := batchOption(sshVariant(env, config), command)
	if option == "" {
		return nil
	}
	return []string{"GIT_SSH_COMMAND=" + command + " " + option}
}

// sshVariant returns the kind of ssh that the user declared, or "".
func sshVariant(env Env, config *Config) string {
	if variant, ok := env.Lookup("GIT_SSH_VARIANT"); ok {
		return variant
	}
	variant, _ := config.String("ssh.variant")
	return variant
}

// batchOption returns the option that makes this kind of ssh ask nothing.
func batchOption(variant, command string) string {
	if variant == "" || variant == "auto" {
		variant = strings.TrimSuffix(filepath.Base(firstWord(command)), ".exe")
	}
	switch strings.ToLower(variant) {
	case "simple":
		return ""
	case "plink", "putty", "tortoiseplink":
		return "-batch"
	default:
		return "-oBatchMode=yes"
	}
}

// firstWord returns the first word of a shell command as far as it takes to
// recognise a program: it may stand in quotes of one kind.
func firstWord(command string) string {
	command = strings.TrimSpace(command)
	end := " "
	if command != "" && (command[0] == '\'' || command[0] == '"') {
		command, end = command[1:], command[:1]
	}
	word, _, _ := strings.Cut(command, end)
	return word
}

// shellQuote returns s as one word of a POSIX shell.
func shellQuote(s string) string {
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
