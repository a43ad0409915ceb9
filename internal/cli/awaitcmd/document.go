package awaitcmd

// The types below are the "data" of the JSON envelope, version 1, as
// docs/schemas has them. Fields may be added; none is renamed or changes its
// meaning. Refs are full, commits are full object ids, times are RFC 3339 in UTC.

// AwaitData answers VerbAwait.
type AwaitData struct {
	// ConditionData is the single condition; nil with a Mode. Its fields
	// stand beside the others, its Met behind Met below.
	*ConditionData
	// Mode is Any or All, and Conditions are in the order of the watch.
	Mode       string          `json:"mode,omitempty"`
	Conditions []ConditionData `json:"conditions,omitempty"`

	Trunk     string `json:"trunk"`
	Met       bool   `json:"met"`
	ElapsedMS int64  `json:"elapsed_ms"`
	// TimeoutS is how long the call was allowed to last, in seconds.
	TimeoutS     float64 `json:"timeout_s"`
	TimeoutBasis string  `json:"timeout_basis"`
	// RequestedTimeoutS is what was asked for, where it was cut.
	RequestedTimeoutS *float64 `json:"requested_timeout_s,omitempty"`
	// Resume is the handle to go on with; nil when met.
	Resume *string `json:"resume"`
	// RetryAfterS is the length recommended for the next call of the watch.
	RetryAfterS float64 `json:"retry_after_s"`
	RetryBasis  string  `json:"retry_basis"`
}

// ConditionData is one condition and what was seen of it.
type ConditionData struct {
	Condition string `json:"condition"`
	// Branch is nil for TrunkMoved.
	Branch   *string  `json:"branch"`
	Met      bool     `json:"met"`
	Observed Observed `json:"observed"`
}

// Observed is what was seen. What was not looked at, or cannot be, is left out.
type Observed struct {
	// Via is the evidence: ancestor, note, content, receipt, trunk; empty
	// while not met.
	Via string `json:"via,omitempty"`
	// Reason says why it is not met or cannot be told, as a code.
	Reason     string  `json:"reason,omitempty"`
	TrunkStart string  `json:"trunk_start"`
	TrunkHead  *string `json:"trunk_head"` // nil: the trunk was deleted
	Rewritten  bool    `json:"rewritten,omitempty"`

	Tip          string `json:"tip,omitempty"`
	Armed        *bool  `json:"armed,omitempty"`
	Landed       *bool  `json:"landed,omitempty"`
	LandedAs     string `json:"landed_as,omitempty"`
	Undone       bool   `json:"undone,omitempty"`
	NoteCommit   string `json:"note_commit,omitempty"`
	NoteDate     string `json:"note_date,omitempty"`
	BranchExists *bool  `json:"branch_exists,omitempty"`
	// Ahead counts the commits of the live tip that the trunk lacks.
	Ahead *int `json:"ahead,omitempty"`

	ReceiptStatus string `json:"receipt_status,omitempty"`
	// Worktree is the administrative name; "(main)" is the main one.
	Worktree string `json:"worktree,omitempty"`

	// Behind counts what an update of the caller's worktree would bring;
	// IncomingOverlap are at most 20 of its own changed files that this
	// touches, of OverlapTotal.
	Behind          *int     `json:"behind,omitempty"`
	IncomingOverlap []string `json:"incoming_overlap,omitzero"`
	OverlapTotal    *int     `json:"overlap_total,omitempty"`
}

// ListData answers VerbList. Watches is never nil.
type ListData struct {
	Watches []WatchData `json:"watches"`
}

// WatchData is one watch that can be resumed.
type WatchData struct {
	Resume     string         `json:"resume"`
	Mode       string         `json:"mode,omitempty"`
	Conditions []QuestionData `json:"conditions"`
	Trunk      string         `json:"trunk"`
	CreatedAt  string         `json:"created_at"`
	UpdatedAt  string         `json:"updated_at"`
	ExpiresAt  string         `json:"expires_at"`
}

// QuestionData is one condition without an answer.
type QuestionData struct {
	Condition string  `json:"condition"`
	Branch    *string `json:"branch"` // nil for TrunkMoved
}

// ForgetData answers VerbForget: the handles that are forgotten now, and those
// that the repository did not hold. Neither is nil.
type ForgetData struct {
	Forgotten []string `json:"forgotten"`
	Unknown   []string `json:"unknown"`
}
