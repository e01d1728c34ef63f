/// An error in the words and the number that the program ends with.
package struct CommandFailure: Error {
    package var status: ExitStatus
    /// A sentence for a person.
    package var message: String
    /// What happened, in one word for programs.
    package var kind: String
    /// Where, in one word.
    package var stage: String?
    /// What a caller can do: `fixInput`, `authenticate`, `reconnect`, `retry`, `giveUp`.
    package var recovery: String

    package init(
        _ status: ExitStatus, _ message: String, kind: String, stage: String? = nil,
        recovery: String = "fixInput"
    ) {
        self.status = status
        self.message = message
        self.kind = kind
        self.stage = stage
        self.recovery = recovery
    }

    /// The member `error` of a result.
    package var json: JSONText {
        .object([
            ("kind", .string(kind)), ("stage", .optional(stage)), ("message", .string(message)),
            ("recovery", .string(recovery)),
        ])
    }
}
