import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSASL

// MS-NLMP §4.2.1, §4.2.4
@Suite("NTLM")
struct NTLMTests {
    static let serverChallenge = octets(hex: "0123456789abcdef")!
    static let clientChallenge = octets(hex: "aaaaaaaaaaaaaaaa")!

    static var attributes: NTLMAttributes {
        var attributes = NTLMAttributes()
        attributes[NTLMAttributes.domainName] = NTLMOctets.utf16("Domain")
        attributes[NTLMAttributes.computerName] = NTLMOctets.utf16("Server")
        return attributes
    }

    @Test("computes what its specification computes")
    func vectors() throws {
        let keys = try NTLMv2(user: "User", domain: "Domain", password: Secret("Password"))
        #expect(hex(keys.responseKey) == "0c868a403bfd7a93a3001ef22ef02e3f")
        #expect(
            hex(
                try keys.lmResponse(
                    serverChallenge: Self.serverChallenge, clientChallenge: Self.clientChallenge))
                == "86c35097ac9cec102554764a57cccc19aaaaaaaaaaaaaaaa")
        let blob = NTLMv2.blob(
            fileTime: 0, clientChallenge: Self.clientChallenge,
            attributes: Self.attributes.encoded)
        #expect(
            hex(blob)
                == "01010000000000000000000000000000aaaaaaaaaaaaaaaa0000000002000c0044006f00"
                + "6d00610069006e0001000c005300650072007600650072000000000000000000")
        let proof = try keys.proof(serverChallenge: Self.serverChallenge, blob: blob)
        #expect(hex(proof) == "68cd0ab851e51c96aabc927bebef6a1c")
        #expect(hex(try keys.sessionKey(proof: proof)) == "8de40ccadbc14a82f15cb0ad0de95ca3")
    }

    @Test("names the time as Windows does")
    func time() {
        #expect(NTLMv2.fileTime(secondsSinceEpoch: 0) == 116_444_736_000_000_000)
        #expect(NTLMv2.fileTime(secondsSinceEpoch: .min) == 0)
        #expect(NTLMv2.fileTime(secondsSinceEpoch: .max) == .max)
    }

    @Test("answers the specification's challenge with its proof")
    func exchange() throws {
        var channel = Dialogue.channel
        channel.bindings = []
        channel.secondsSinceEpoch = -11_644_473_600
        var client = try NTLM(
            user: #"Domain\User"#, password: Secret("Password"), channel: channel,
            clientChallenge: Self.clientChallenge)
        let first = client.initialResponse() ?? Secret("")
        #expect(first.withOctets { $0.starts(with: NTLMOctets.signature) })
        let challenge = NTLMChallenge(
            flags: [.unicode, .ntlm, .targetInfo], nonce: Self.serverChallenge,
            attributes: Self.attributes
        ).encoded(targetName: "Server")
        let said = try client.respond(to: challenge).withOctets { Array($0) }
        let message = try #require(NTLMAuthenticate(said))
        #expect(message.user == "User")
        #expect(message.domain == "Domain")
        #expect(hex(message.ntResponse.prefix(16)) == "68cd0ab851e51c96aabc927bebef6a1c")
        #expect(hex(message.lmResponse).hasPrefix("86c35097ac9cec102554764a57cccc19"))
        #expect(throws: SASLError.self) { try client.respond(to: challenge) }
    }

    @Test(
        "goes through, with a code over all messages where the server tells the time",
        arguments: [Int64(0), 1_800_000_000], [#"DOM\jürgen𝒳"#, "jürgen𝒳", "jürgen𝒳@example.org"])
    func both(time: Int64, user: String) throws {
        var channel = Dialogue.channel
        channel.secondsSinceEpoch = time
        let bare = String(user.split(separator: "\\").last ?? "")
        let users = Dialogue.users([bare: "pä日😀"], channel: channel)
        for sendsFirst in [true, false] {
            let client = try NTLM(
                user: user, password: Secret("pä日😀"), channel: Dialogue.channel)
            #expect(
                Dialogue.run(client, NTLMServer(users), sendsFirst: sendsFirst).login?.user == bare)
        }
        let wrong = try NTLM(user: user, password: Secret("pä"), channel: Dialogue.channel)
        #expect(Dialogue.run(wrong, NTLMServer(users)).login == nil)
        var elsewhere = Dialogue.channel
        elsewhere.bindings[1].octets = [1]
        let relayed = try NTLM(user: user, password: Secret("pä日😀"), channel: elsewhere)
        #expect(Dialogue.run(relayed, NTLMServer(users)).login == nil)
    }

    @Test("gives its first message to words as well as to nothing")
    func words() throws {
        var client = try NTLM(user: "a", password: Secret("b"), channel: Dialogue.channel)
        let said = try client.respond(to: Array("NTLM supported".utf8))
        #expect(said.withOctets { $0.starts(with: NTLMOctets.signature) })
        #expect(expectFailure(.malformedChallenge, of: &client, to: "NTLM supported"))
    }

    @Test("refuses challenges that are cut, point outside or know no Unicode")
    func hostile() throws {
        let whole = NTLMChallenge(
            flags: [.unicode, .ntlm, .targetInfo], nonce: Self.serverChallenge,
            attributes: Self.attributes
        ).encoded(targetName: "S")
        func kind(_ challenge: [UInt8]) throws -> SASLError.Kind? {
            var client = try NTLM(user: "a", password: Secret("b"), channel: Dialogue.channel)
            do {
                _ = try client.respond(to: NTLMOctets.signature)
                return nil
            } catch {}
            client = try NTLM(user: "a", password: Secret("b"), channel: Dialogue.channel)
            do {
                _ = try client.respond(to: challenge)
                return nil
            } catch {
                return error.kind
            }
        }
        for count in 8..<whole.count {
            #expect(try kind(Array(whole[..<count])) == .malformedChallenge, "\(count)")
        }
        for (place, value) in [(44, 0xFF), (47, 0xFF), (40, 0xFF), (41, 0xFF), (8, 3)] {
            var changed = whole
            changed[place] = UInt8(value)
            #expect(try kind(changed) == .malformedChallenge, "\(place)")
        }
        var changed = whole
        changed[20] &= 0xFE
        #expect(try kind(changed) == .unacceptableChallenge)
        #expect(
            try kind(whole + [UInt8](repeating: 0, count: 20_000)) == .malformedChallenge)
        #expect(try kind(whole) == nil)
    }

    @Test("the server refuses messages that are cut")
    func hostileClient() throws {
        var client = try NTLM(user: "alice", password: Secret("p"), channel: Dialogue.channel)
        var server = NTLMServer(Dialogue.users(["alice": "p"]))
        guard case .challenge(let challenge) = try server.receive(client.initialResponse()) else {
            throw Unexpected()
        }
        let said = try client.respond(to: challenge).withOctets { Array($0) }
        for count in 0..<said.count {
            var copy = server
            #expect(throws: SASLError.self, "\(count)") {
                try copy.receive(Secret(octets: said[..<count]))
            }
        }
        _ = try server.receive(Secret(octets: said))
    }

    @Test("keeps attributes in order and ends at number 0")
    func attributeList() {
        let list = NTLMAttributes(Self.attributes.encoded + [1, 2, 3])
        #expect(list?.encoded == Self.attributes.encoded)
        #expect(NTLMAttributes([1, 0, 4, 0, 1]) == nil)
        #expect(NTLMAttributes([]) == nil)
    }
}
