import MartletBytes
import Testing

@testable import MartletSASL

@Suite("SASL selection")
struct SASLSelectionTests {
    static let password = Credentials(user: "alice") { Secret("pw") }
    static let token = Credentials(user: "alice", token: { _ in Secret("t") })
    static let all = [
        "PLAIN", "LOGIN", "NTLM", "CRAM-MD5", "DIGEST-MD5", "SCRAM-SHA-1", "SCRAM-SHA-256",
        "SCRAM-SHA-512", "SCRAM-SHA-1-PLUS", "SCRAM-SHA-256-PLUS", "SCRAM-SHA-512-PLUS", "XOAUTH2",
        "OAUTHBEARER", "EXTERNAL", "ANONYMOUS", "GSSAPI",
    ]
    static var plain: SASLChannel {
        SASLChannel(service: "smtp", host: "mail.example.org", port: 25, isEncrypted: false)
    }

    static func names(
        _ credentials: Credentials, _ offered: [String] = all,
        _ channel: SASLChannel = Dialogue.channel, allowsPlaintext: Bool = false
    ) -> [String] {
        SASLSelection(
            credentials, offered: offered, channel: channel, allowsPlaintext: allowsPlaintext
        ).candidates.map { candidate in
            guard case .bound(let binding) = candidate.binding else { return candidate.name }
            return candidate.name + " " + binding.name
        }
    }

    @Test("takes the strongest first, whatever order the server has")
    func strength() {
        let digests = [
            "SCRAM-SHA-512", "SCRAM-SHA-256", "SCRAM-SHA-1", "DIGEST-MD5", "CRAM-MD5", "NTLM",
        ]
        let bound = ["512", "256", "1"].flatMap { hash in
            ["tls-exporter", "tls-server-end-point"].map { "SCRAM-SHA-\(hash)-PLUS \($0)" }
        }
        #expect(Self.names(Self.password) == bound + digests + ["PLAIN", "LOGIN"])
        #expect(
            Self.names(Self.password, Self.all.reversed().map { $0.lowercased() })
                == bound + digests + ["PLAIN", "LOGIN"])
        #expect(Self.names(Self.password, Self.all, Self.plain) == digests)
        #expect(
            Self.names(Self.password, Self.all, Self.plain, allowsPlaintext: true)
                == digests + ["PLAIN", "LOGIN"])
        #expect(Self.names(Self.token) == ["OAUTHBEARER", "XOAUTH2"])
        #expect(Self.names(Self.token, Self.all, Self.plain).isEmpty)
        #expect(Self.names(.external()) == ["EXTERNAL"])
        #expect(Self.names(.anonymous(), Self.all, Self.plain) == ["ANONYMOUS"])
    }

    @Test("leaves a plaintext mechanism out without TLS, and says so")
    func plaintext() {
        let selection = SASLSelection(
            Self.password, offered: ["PLAIN", "LOGIN"], channel: Self.plain)
        #expect(selection.candidates.isEmpty)
        #expect(selection.leftOutPlaintext)
        let other = SASLSelection(Self.password, offered: ["GSSAPI"], channel: Self.plain)
        #expect(!other.leftOutPlaintext)
    }

    @Test("keeps to a list of the caller's, in its order")
    func fixed() {
        var credentials = Self.password
        credentials.mechanisms = ["login", "SCRAM-SHA-1", "XOAUTH2", "NOSUCH"]
        #expect(Self.names(credentials) == ["LOGIN", "SCRAM-SHA-1"])
        credentials.mechanisms = []
        #expect(Self.names(credentials).isEmpty)
    }

    @Test("uses only what can say as whom to act, where that is wanted")
    func identity() {
        var credentials = Self.password
        credentials.authorizationIdentity = "shared"
        #expect(
            Self.names(credentials, ["LOGIN", "NTLM", "CRAM-MD5", "PLAIN", "DIGEST-MD5"])
                == ["DIGEST-MD5", "PLAIN"])
    }

    @Test(
        "says that it could bind only where the server offers nothing bound",
        arguments: [
            (["SCRAM-SHA-256"], true, SCRAM.Binding.notOffered),
            (["SCRAM-SHA-256"], false, .impossible),
            (["SCRAM-SHA-256", "SCRAM-SHA-1-PLUS"], true, .impossible),
        ])
    func flag(offered: [String], canBind: Bool, binding: SCRAM.Binding) {
        var channel = Dialogue.channel
        if !canBind { channel.bindings = [] }
        let selection = SASLSelection(Self.password, offered: offered, channel: channel)
        #expect(selection.candidates.first { $0.name == "SCRAM-SHA-256" }?.binding == binding)
    }

    @Test("a refused password is tried once more, where the server keeps it otherwise")
    func refusals() {
        var selection = SASLSelection(
            Self.password, offered: ["SCRAM-SHA-256", "SCRAM-SHA-1", "CRAM-MD5", "PLAIN", "LOGIN"],
            channel: Dialogue.channel)
        selection.refused(SASLRefusal(.credentials, words: "no"))
        #expect(selection.candidates.map(\.name) == ["PLAIN", "LOGIN"])
        selection.refused(SASLRefusal(.credentials, words: "no again"))
        #expect(selection.candidates.isEmpty)
        #expect(
            selection.attempts == [
                .init(mechanism: "SCRAM-SHA-256", outcome: "no"),
                .init(mechanism: "PLAIN", outcome: "no again"),
            ])

        selection = SASLSelection(
            Self.password, offered: ["PLAIN", "LOGIN"], channel: Dialogue.channel)
        selection.refused(SASLRefusal(.credentials, words: "no"))
        #expect(selection.candidates.isEmpty, "the same password again would lock the account")

        selection = SASLSelection(
            Self.password, offered: ["SCRAM-SHA-256", "CRAM-MD5", "NTLM", "PLAIN"],
            channel: Self.plain)
        selection.refused(SASLRefusal(.credentials, words: "no"))
        #expect(selection.candidates.map(\.name) == ["CRAM-MD5", "NTLM"])
    }

    @Test("a refused mechanism does not count, and nothing helps where the server is unavailable")
    func mechanisms() {
        var selection = SASLSelection(
            Self.password, offered: ["SCRAM-SHA-256", "CRAM-MD5", "PLAIN", "LOGIN"],
            channel: Dialogue.channel)
        for name in ["SCRAM-SHA-256", "CRAM-MD5", "PLAIN", "LOGIN"] {
            #expect(selection.candidates.first?.name == name)
            selection.refused(SASLRefusal(.mechanism, words: "504"))
        }
        #expect(selection.candidates.isEmpty)
        selection = SASLSelection(
            Self.password, offered: ["SCRAM-SHA-256", "PLAIN"], channel: Dialogue.channel)
        selection.refused(SASLRefusal(.unavailable, words: "454"))
        #expect(selection.candidates.isEmpty)
    }

    @Test("a kind of binding that the server does not know is followed by another")
    func bindings() {
        var selection = SASLSelection(
            Self.password, offered: ["SCRAM-SHA-256-PLUS", "SCRAM-SHA-256", "PLAIN"],
            channel: Dialogue.channel)
        selection.refused(SASLRefusal(.credentials, words: "no"), hadProof: false)
        #expect(selection.candidates.first?.binding == .bound(Dialogue.channel.bindings[1]))
        selection.refused(SASLRefusal(.credentials, words: "no"), hadProof: false)
        #expect(selection.candidates.map(\.name) == ["PLAIN"])

        // Cyrus takes any kind, and finds the octets wrong when the proof is there.
        selection = SASLSelection(
            Self.password, offered: ["SCRAM-SHA-256-PLUS", "PLAIN"], channel: Dialogue.channel)
        selection.refused(SASLRefusal(.credentials, words: "no"))
        #expect(selection.candidates.first?.binding == .bound(Dialogue.channel.bindings[1]))
        selection.refused(SASLRefusal(.credentials, words: "no"))
        #expect(selection.candidates.isEmpty)
    }
}
