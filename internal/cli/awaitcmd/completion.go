package awaitcmd

// Completion returns the completion script of git await for "bash", "zsh" or
// "fish".
func Completion(shell string) (string, error) {
	return Command.Completion(&grammar{}, shell)
}
