/// How a server side presents itself.
public struct POP3ServerConfiguration: Sendable {
    /// What the greeting says to people; no line ends.
    public var greeting: String
    /// The timestamp for `APOP`, such as `<1896.697170952@pop.example.test>`, another for each connection; `nil`: no `APOP`.
    public var timestamp: String?
    /// Whether `STLS` is offered while a session is in the clear.
    public var offersSTLS = false
    /// Whether `USER` and `PASS` are offered.
    public var offersUser = true
    /// SASL mechanisms to offer, in order, in upper case. What needs TLS, such as `SCRAM-SHA-256-PLUS`, is offered only there.
    public var mechanisms: [String] = []
    /// Whether `USER` and SASL are offered in the clear.
    public var allowsPlaintextAuthentication = false
    /// Whether commands may be sent ahead. RFC 2449 §6.6.
    public var offersPipelining = true
    /// Whether `UTF8` is offered. RFC 6856 §2.
    public var offersUTF8 = true
    /// The languages of what the server says, the first being its own: only the tags change, not the words. Empty: no `LANG`.
    /// RFC 6856 §3.
    public var languages = [POP3.Languages.Language(tag: "en", name: "English")]
    /// How long mail is kept; `nil`: not said. RFC 2449 §6.7.
    public var expiry: MailExpiry? = .never
    /// Seconds from a login to the next, which the shell has to see to; `nil`: none. RFC 2449 §6.5.
    public var loginDelayInSeconds: Int?
    /// What the server is; `nil`: not said. RFC 2449 §6.9.
    public var implementation: String? = "Martlet"
    /// Whether each command is asked about before it is done: for servers with rules of their own.
    public var asksBeforeCommands = false
    /// Changes the lines that CAPA tells, but not what the session does: for tests of clients that meet a server that lies.
    public var changesOffer: (@Sendable ([String]) -> [String])?

    /// Makes a configuration with the defaults above.
    public init(greeting: String = "Martlet POP3 server ready") { self.greeting = greeting }
}
