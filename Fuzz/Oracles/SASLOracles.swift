import MartletBytes
import MartletSASL

/// What must hold for any challenges a server may send.
///
/// The first octet names the mechanism; the rest are challenges with a line feed between them, in which `$N` stands for
/// the client's nonce.
package enum SASLClientOracle {
    /// Traps where a client's side breaks a promise.
    package static func check(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let names = SASLScript.clients
        var mechanism = SASLScript.client(names[Int(first) % names.count])
        let challenges = input.dropFirst().split(
            separator: ASCII.lf, maxSplits: 8, omittingEmptySubsequences: false
        ).map { SASLScript.filled($0) }
        // Many iterations are allowed, and take their time.
        if challenges.contains(where: SASLScript.asksForMuchWork) { return }
        var answers = 0
        do throws(SASLError) {
            var said = try mechanism.initialResponse().map { [$0] } ?? []
            // As a protocol without initial responses has it, too: they are asked for with nothing.
            for challenge in challenges {
                said.append(try mechanism.respond(to: challenge))
                answers += 1
            }
            for word in said where !mechanism.sendsPlaintextSecret {
                word.withOctets {
                    precondition(!SASLScript.holdsPassword($0), "a password is told")
                }
            }
        } catch {
            SASLScript.check(error)
        }
        precondition(answers <= 3, "\(mechanism.name) never ends")
        do throws(SASLError) {
            try mechanism.finish(nil)
            // Nobody but who knows the password can prove it.
            precondition(!SASLScript.isMutual(mechanism.name), "a server is believed")
        } catch {
            SASLScript.check(error)
        }
    }
}

/// What must hold for any responses a client may send.
///
/// The first octet names the mechanism; the rest are responses with a line feed between them, in which `$N` stands for
/// the server's nonce.
package enum SASLServerOracle {
    /// Traps where a server's side breaks a promise.
    package static func check(_ input: [UInt8]) {
        guard let first = input.first else { return }
        let names = SASLServerMechanisms.names + ["EXTERNAL"]
        let name = names[Int(first) % names.count]
        var mechanism = SASLScript.server(name)
        let responses = input.dropFirst().split(
            separator: ASCII.lf, maxSplits: 8, omittingEmptySubsequences: false
        ).map { Secret(octets: SASLScript.filled($0)) }
        var challenges = 0
        do throws(SASLError) {
            // By the first octet's high bit, with and without an initial response.
            if first >= 0x80, case .challenge = try mechanism.receive(nil) { challenges += 1 }
            for response in responses {
                switch try mechanism.receive(response) {
                case .challenge: challenges += 1
                case .verify(let login):
                    if case .checked = login.proof {
                        preconditionFailure("\(name): who does not know the password gets in")
                    }
                    return
                }
            }
        } catch {
            SASLScript.check(error)
        }
        precondition(challenges <= 3, "\(name) never ends")
    }
}

/// Both sides at their start, with nonces that inputs can know.
enum SASLScript {
    static let nonce = "fyko+d2lbbFgONRv9qkxdawL"
    private static let password = "correct horse battery"
    private static let channel = SASLChannel(
        service: "imap", host: "mail.example.org", port: 993, isEncrypted: true,
        bindings: [
            SASLChannelBinding(name: SASLChannelBinding.tlsServerEndPoint, octets: [1, 2, 3])
        ], secondsSinceEpoch: 1_800_000_000)

    static let clients = [
        "SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-512-PLUS", "DIGEST-MD5", "CRAM-MD5", "NTLM",
        "PLAIN", "LOGIN", "XOAUTH2", "OAUTHBEARER", "EXTERNAL", "ANONYMOUS",
    ]

    static func client(_ name: String) -> any SASLMechanism {
        let secret = Secret(password)
        let mechanism: (any SASLMechanism)? =
            switch name {
            case "SCRAM-SHA-1": try? SCRAM(.sha1, user: "user", password: secret, nonce: nonce)
            case "SCRAM-SHA-256":
                try? SCRAM(
                    .sha256, user: "user", password: secret, binding: .notOffered, nonce: nonce)
            case "SCRAM-SHA-512-PLUS":
                try? SCRAM(
                    .sha512, user: "user", password: secret, binding: .bound(channel.bindings[0]),
                    nonce: nonce)
            case "DIGEST-MD5":
                try? DIGESTMD5(user: "user@a", password: secret, channel: channel)
            case "CRAM-MD5": try? CRAMMD5(user: "user", password: secret)
            case "NTLM": try? NTLM(user: #"D\user"#, password: secret, channel: channel)
            case "PLAIN": try? PLAIN(user: "user", password: secret)
            case "LOGIN": try? LOGIN(user: "user", password: secret)
            case "XOAUTH2": try? XOAUTH2(user: "user", token: Secret("token"))
            case "OAUTHBEARER":
                try? OAUTHBEARER(user: "user", token: Secret("token"), channel: channel)
            case "EXTERNAL": try? EXTERNAL()
            default: try? ANONYMOUS()
            }
        guard let mechanism else { preconditionFailure("\(name) cannot be made") }
        return mechanism
    }

    static func server(_ name: String) -> any SASLServerMechanism {
        let users = SASLUsers(channel: channel) { $0 == "user" ? Secret(password) : nil }
        let mechanism: (any SASLServerMechanism)? =
            switch name {
            case "SCRAM-SHA-1": SCRAMServer(.sha1, users, nonce: nonce, salt: [1, 2, 3])
            case "SCRAM-SHA-256": SCRAMServer(.sha256, users, nonce: nonce, salt: [1, 2, 3])
            case "DIGEST-MD5": DIGESTMD5Server(users, nonce: nonce)
            default: SASLServerMechanisms.make(name, users)
            }
        guard let mechanism else { preconditionFailure("\(name) cannot be made") }
        return mechanism
    }

    static func isMutual(_ name: String) -> Bool {
        name.hasPrefix("SCRAM") || name == "DIGEST-MD5"
    }

    /// `$N` becomes the nonce.
    static func filled(_ octets: ArraySlice<UInt8>) -> [UInt8] {
        guard let place = octets.firstIndex(of: UInt8(ascii: "$")), place + 1 < octets.endIndex,
            octets[place + 1] == UInt8(ascii: "N")
        else { return Array(octets) }
        return octets[..<place] + Array(nonce.utf8) + octets[(place + 2)...]
    }

    /// Whether an `i=` of five digits or more is in it.
    static func asksForMuchWork(_ octets: [UInt8]) -> Bool {
        octets.split(separator: UInt8(ascii: ",")).contains {
            $0.starts(with: "i=".utf8) && $0.count > 6
        }
    }

    static func holdsPassword(_ octets: UnsafeBufferPointer<UInt8>) -> Bool {
        let words = Array(password.utf8)
        guard octets.count >= words.count else { return false }
        return (0...(octets.count - words.count)).contains {
            octets[$0..<($0 + words.count)].elementsEqual(words)
        }
    }

    static func check(_ error: SASLError) {
        precondition(
            !error.description.utf8.contains { $0 < 0x20 || $0 == ASCII.del },
            "an error has control characters")
    }
}
