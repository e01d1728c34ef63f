extension Sandbox {
    /// Something that the sandbox does wrong on purpose, so that you see what your code makes of it.
    ///
    ///     Sandbox.Fault(.reply("450 4.7.1 Greylisted, try again"), at: "RCPT", recipient: "*@example.org", times: 1)
    ///     Sandbox.Fault(.drop(.beforeReply), at: "dot")
    ///     Sandbox.Fault(.reply("NO [THROTTLED] Slow down"), at: "FETCH", after: 10)
    ///
    /// A fault strikes where all of its conditions hold. What cannot be, such as a reply of POP3 to a command of IMAP, is an
    /// error of kind `.invalidFault` where the fault is decoded or given to a sandbox.
    ///
    /// In JSON a fault is an object with its conditions and one action:
    ///
    ///     { command: "RCPT", recipient: "*@example.org", times: 1, reply: "450 4.7.1 Greylisted, try again" }
    ///     { command: "dot", drop: "beforeReply" }
    public struct Fault: Sendable, Hashable {
        /// The longest delay.
        public static let delayLimit: Duration = .seconds(300)
        /// Octets of a text in a fault, at most.
        public static let textLimitInOctets = 500
        /// Octets, and octets per second, that a fault can name, at most.
        public static let countLimit = 1 << 40

        /// What people call it; events have it.
        public var name: String?
        /// In which protocol; `nil`: in all that the other conditions leave.
        public var `protocol`: SandboxProtocol?
        /// Where: a command such as `RCPT`, `FETCH` or `RETR`, in any case, or one of these moments: `greeting`, when the
        /// server speaks first; `login`, when somebody's password is right, whatever the command; `dot`, when a message that
        /// came by SMTP or LMTP is whole. `FETCH` is `UID FETCH`, too. `nil`: at each command; at these moments it does not
        /// strike then, and LOGIN of IMAP is one of them.
        public var command: String?
        /// Whose connection, once somebody logged in: a name, a whole address, or a pattern with `*`.
        public var user: String?
        /// To whom mail goes, at `RCPT`, `DATA` and `dot` of SMTP and LMTP: a name, a whole address, or a pattern with `*`.
        public var recipient: String?
        /// Which mailbox of IMAP: one that the command names, or else that is selected. A name or a pattern with `*`.
        public var mailbox: String?
        /// How many times all that holds before the fault strikes.
        public var after: Int
        /// How often it strikes; `nil`: always.
        public var times: Int?
        /// What goes wrong.
        public var action: Action

        /// Describes a fault.
        public init(
            _ action: Action, at command: String? = nil, of protocol: SandboxProtocol? = nil,
            user: String? = nil, recipient: String? = nil, mailbox: String? = nil, after: Int = 0,
            times: Int? = nil, name: String? = nil
        ) {
            self.action = action
            self.command = command
            self.protocol = `protocol`
            self.user = user
            self.recipient = recipient
            self.mailbox = mailbox
            self.after = after
            self.times = times
            self.name = name
        }

        /// What goes wrong.
        public enum Action: Sendable, Hashable {
            /// The command is not done, and answered so: what a server says, without the tag of IMAP, such as
            /// `550 5.1.1 User unknown`, `NO [OVERQUOTA] Full`, `-ERR [IN-USE] Locked`. A `421`, a `BYE`, and a no to a client
            /// that has just connected end the connection. A yes is a lie: nothing is done all the same.
            case reply(String)
            /// What happens happens later. Up to `delayLimit`.
            case delay(Duration)
            /// The connection ends without a word.
            case drop(Moment)
            /// The sandbox says nothing any more, and leaves the connection open until the client has enough of it.
            case silence(Moment)
            /// From now on the connection gets so many octets per second.
            case throttle(octetsPerSecond: Int)
            /// EHLO, CAPABILITY or CAPA tell more or less than is there: lines of SMTP and POP3, words of IMAP. What is
            /// removed is named by its first word; `AUTH` of IMAP is all of `AUTH=…`.
            case capabilities(add: [String] = [], remove: [String] = [])
            /// The last octets of a message are missing: FETCH announces a literal and sends less than that, RETR ends
            /// before the message does.
            case cut(octets: Int)
            /// The mailbox gets another UIDVALIDITY and its messages new UIDs; for POP3 at `login`: all unique-ids are new.
            case renewUIDs
            /// The greeting of IMAP is PREAUTH: this user is logged in.
            case preauthenticate(user: String)
        }

        /// When a connection ends or falls silent.
        public enum Moment: Sendable, Hashable {
            /// Before the command is done.
            case now
            /// After so many more octets were written. Of 0: see `beforeReply`.
            case afterWriting(octets: Int)
            /// After so many octets of the message were read, at `DATA` of SMTP and LMTP.
            case afterReading(octets: Int)

            /// Once the command is done, but before the client hears of it.
            public static let beforeReply = Moment.afterWriting(octets: 0)
        }
    }

    /// A fault in a running sandbox.
    public struct PlacedFault: Sendable, Hashable, Identifiable {
        /// Counts up from 1.
        public let id: Int
        /// The fault.
        public let fault: Fault
        /// How often it struck.
        public internal(set) var strikes = 0
        /// How often its conditions held before it struck first.
        var passed = 0
        /// Where its conditions can hold at all.
        let protocols: Set<SandboxProtocol>

        init(id: Int, _ fault: Fault) throws(SandboxError) {
            try fault.validate()
            protocols = try fault.protocols()
            self.id = id
            self.fault = fault
        }
    }

    /// Where a fault struck.
    public struct FaultStrike: Sendable, Hashable {
        /// The number of the fault; `nil` where a recipient's address asked for it.
        public let id: Int?
        /// The fault. One that an address asked for has that as its name.
        public let fault: Fault
        /// In which protocol.
        public let `protocol`: SandboxProtocol
        /// At which command, or `greeting`, `login`, `dot`, `capabilities`.
        public let command: String
        /// The client's address and port.
        public let client: String
    }
}
