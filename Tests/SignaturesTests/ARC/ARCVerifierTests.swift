import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSignatures

@Suite("ARC verifier")
struct ARCVerifierTests {
    @Test("follows a chain of any length up to 50", arguments: [1, 2, 3, 50])
    func chain(count: Int) async throws {
        let result = try await HandMadeChain(sets: count).result()
        #expect(result.outcome == .pass)
        #expect(result.failingInstance == nil)
        #expect(result.sets.map(\.instance) == Array(1...count))
        #expect(result.sets.last?.domain == "mx\(count).example.com")
        #expect(result.sets.first?.chainValidation == "none")
        #expect(
            text(result.sets[0].authenticationResults) == " mx1.example.com;\r\n dkim=pass  (x)")
    }

    @Test("says that there is none")
    func none() async throws {
        let result = try await HandMadeChain().result()
        #expect(result.outcome == .none && result.sets.isEmpty && result.failingInstance == nil)
        #expect(result.description == "The message has no ARC chain.")
    }

    @Test("gives the same for a source in pieces, and for LF as line end")
    func pieces() async throws {
        let message = try HandMadeChain(sets: 2).message
        let verifier = ARCVerifier(keys: Keys.lookUp)
        let source = StreamedOctets(message, pieces: [1, 5, 2])
        #expect(try await verifier.verify(source).outcome == .pass)
        #expect(await verifier.verify(Octets(message.filter { $0 != ASCII.cr })).outcome == .pass)
    }

    @Test("says where a chain is broken")
    func broken() async throws {
        typealias Case = (change: HandMadeChain.Change, problem: ARCProblem, instance: Int?)
        let cases: [Case] = [
            (.init(validation: "fail"), .alreadyBroken, 2),
            (.init(validation: "none"), .wrongChainValidation, 2),
            (.init(validation: "odd"), .seal(.malformedTag("cv")), 2),
            (.init(without: .seal), .missingField("ARC-Seal"), 2),
            (.init(without: .messageSignature), .missingField("ARC-Message-Signature"), 2),
            (
                .init(without: .authenticationResults), .missingField("ARC-Authentication-Results"),
                2
            ),
            (.init(twice: .seal), .repeatedField("ARC-Seal"), 2),
            (.init(instance: "3"), .missingField("ARC-Authentication-Results"), 2),
            (.init(instance: "1"), .repeatedField("ARC-Seal"), 1),
            (.init(instance: "0"), .malformedInstance, nil),
            (.init(instance: "x"), .malformedInstance, nil),
            (.init(instance: "51"), .tooManySets(limit: 50), 51),
            (.init(signedFields: "from:arc-seal"), .messageSignature(.malformedTag("h")), 2),
            (.init(signedFields: "to:subject"), .messageSignature(.fromNotSigned), 2),
            (.init(sealTags: "h=from; "), .seal(.malformedTag("h")), 2),
            (.init(sealTags: "t=x; "), .seal(.malformedTag("t")), 2),
            (.init(sealTags: "d=x; "), .seal(.repeatedTag("d")), 2),
        ]
        for (change, problem, instance) in cases {
            var chain = try HandMadeChain(sets: 1)
            try chain.add(change)
            let result = await chain.result()
            #expect(result.outcome == .fail(problem), "\(problem)")
            #expect(result.failingInstance == instance, "\(problem)")
        }
        var first = try HandMadeChain()
        try first.add(.init(validation: "pass"))
        #expect(await first.result().outcome == .fail(.wrongChainValidation))
    }

    @Test("allows that the message was changed between two servers, not behind the last")
    func changedOnTheWay() async throws {
        var chain = try HandMadeChain(sets: 1)
        chain.message += Array("--\r\nThe list\r\n".utf8)
        #expect(await chain.result().outcome == .fail(.messageSignature(.bodyChanged)))
        try chain.add()
        #expect(await chain.result().outcome == .pass)
    }

    @Test("is broken where octets stand behind l=, which anybody may have put there")
    func length() async throws {
        var chain = try HandMadeChain(sets: 1)
        try chain.add(.init(signatureTags: "l=5; "))
        #expect(await chain.result().outcome == .pass)
        chain.message += Array("--\r\nBuy this!\r\n".utf8)
        #expect(await chain.result().outcome == .fail(.messageSignature(.bodyChanged)))
    }

    @Test("heeds what keys say of their use")
    func keyFlags() async throws {
        let chain = try HandMadeChain(sets: 2)
        #expect(await chain.result(keyFlags: "; h=sha256; s=email; t=s").outcome == .pass)
        for flags in ["; h=sha1", "; s=tlsrpt"] {
            #expect(
                await chain.result(keyFlags: flags).outcome
                    == .fail(.messageSignature(.unsuitableKey)))
        }
        #expect(await !chain.result().isTesting)
        let tested = await chain.result(keyFlags: "; t=y")
        #expect(tested.outcome == .pass && tested.isTesting)
    }

    @Test("is worth nothing in a header with two authors' fields or none")
    func authors() async throws {
        let message = text(try HandMadeChain(sets: 1).message)
        for changed in [
            message.replacing("Subject:", with: "From: eve@example.net\r\nSubject:"),
            "From: eve@example.net\r\n" + message,
            message.replacing("From: a@example.org\r\n", with: ""),
        ] {
            let result = await ARCVerifier(keys: Keys.lookUp).verify(Octets(Array(changed.utf8)))
            #expect(result.outcome == .fail(.malformedHeader))
        }
    }

    @Test("finds every octet of a sealed set that is changed")
    func everyOctet() async throws {
        let chain = try HandMadeChain(sets: 2)
        let end = chain.message.firstRange(of: Array("From:".utf8))!.lowerBound
        for index in 0..<end where chain.message[index] > ASCII.space {
            var changed = chain
            changed.message[index] ^= 0x01
            let result = await changed.result()
            #expect(result.outcome != .pass, "octet \(index)")
        }
    }

    @Test("tells a key that cannot be had now from one that is not there, and where")
    func keys() async throws {
        struct Timeout: Error {}
        let message = try Octets(HandMadeChain(sets: 3).message)
        let later = await ARCVerifier { selector, domain in
            if domain == "mx2.example.com" { throw Timeout() }
            return try await Keys.lookUp(selector, domain)
        }.verify(message)
        #expect(later.outcome == .temperror(.seal(.keyNotAvailable)) && later.failingInstance == 2)
        let none = await ARCVerifier { selector, domain in
            domain == "mx1.example.com" ? nil : try await Keys.lookUp(selector, domain)
        }.verify(message)
        #expect(none.outcome == .fail(.seal(.keyNotFound)) && none.failingInstance == 1)
        #expect(
            none.description
                == "The ARC chain is broken at instance 1: ARC-Seal is not good: there is no such key."
        )
    }

    @Test("takes linear time for fields without end, and never traps on garbage")
    func hostile() async throws {
        let many = String(repeating: "ARC-Seal: i=1\r\n", count: 40_000)
        let result = await ARCVerifier(keys: Keys.lookUp).verify(
            Octets(Array((many + "\r\n").utf8)))
        #expect(result.outcome == .fail(.repeatedField("ARC-Seal")))
        let message = try HandMadeChain(sets: 2).message
        for seed in UInt64(0)..<1_000 {
            var random = SeededGenerator(seed: seed)
            var changed = message
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let index = Int.random(in: 0..<changed.count, using: &random)
                if Bool.random(using: &random) {
                    changed.remove(at: index)
                } else {
                    changed[index] = Array("=;i \r\n1A\0".utf8).randomElement(using: &random)!
                }
            }
            _ = await ARCVerifier(keys: Keys.lookUp).verify(Octets(changed))
        }
    }
}
