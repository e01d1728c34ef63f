import Foundation
import MartletBytes
import MartletTestSupport
import Testing

@testable import MartletSignatures

/// The Python package `dkimpy` as a second opinion.
private enum DKIMPy {
    /// The first line has the keys; each other line is a message to verify, to sign or to seal. Prints a line for each.
    static let script = """
        import dkim, json, sys
        keys = json.loads(sys.stdin.readline())
        def look_up(name, timeout=5):
            return keys["record"].encode()
        for line in sys.stdin:
            job = json.loads(line)
            message = bytes.fromhex(job["message"])
            canonical = (job["header"].encode(), job["body"].encode())
            pem = keys["pem"].encode()
            try:
                if job["what"] == "verify":
                    answer = str(dkim.verify(message, dnsfunc=look_up))
                elif job["what"] == "sign":
                    answer = dkim.sign(message, b"rsa", b"example.org", pem, canonicalize=canonical).hex()
                else:
                    body = message
                    for i in range(1, 4):
                        results = b"Authentication-Results: mx.example.org; arc=%s\\r\\n" % (b"pass" if i > 1 else b"none")
                        message = results + body
                        fields = dkim.arc_sign(message, b"rsa", b"example.org", pem, b"mx.example.org",
                            include_headers=[b"from", b"to", b"subject"])
                        body = b"".join(fields) + body
                    answer = body.hex()
            except Exception as error:
                answer = repr(error)
            print(json.dumps(answer))
        """

    struct Job: Encodable {
        var what: String
        var message: [UInt8]
        var header = Canonicalization.relaxed
        var body = Canonicalization.relaxed

        enum CodingKeys: CodingKey { case what, message, header, body }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(what, forKey: .what)
            try container.encode(hex(message), forKey: .message)
            try container.encode(header.rawValue, forKey: .header)
            try container.encode(body.rawValue, forKey: .body)
        }
    }

    static func answers(to jobs: [Job]) async throws -> [String] {
        let pem = try Keys.rsa.pem().withOctets { text($0) }
        let keys = try JSONEncoder().encode(["record": try Keys.rsa.keyRecord(), "pem": pem])
        let lines = try [keys] + jobs.map { try JSONEncoder().encode($0) }
        return try await Python.run(script, lines: lines.map { [UInt8]($0) }).map {
            try JSONDecoder().decode(String.self, from: Data($0))
        }
    }
}

/// A small message with odd line ends, blanks and folding. Its last line is ended, as in SMTP: without that, blanks on it
/// count in `dkimpy`, against RFC 6376 §3.4.4.
private func randomMessage(_ seed: UInt64) -> [UInt8] {
    var random = SeededGenerator(seed: seed)
    let end = ["\r\n", "\n"].randomElement(using: &random)!
    var fields = [
        "From: a@example.org", "To: b@example.com,\(end)\tc@example.com  ", "Subject:\(end)  a   b",
        "SUBJECT:second", "Date: Fri, 11 Jul 2003 21:00:37 -0700",
    ]
    fields.shuffle(using: &random)
    var body = ""
    for _ in 0..<Int.random(in: 0...10, using: &random) {
        for _ in 0..<[0, 0, 2, 30].randomElement(using: &random)! {
            body += ["a", "b", " ", "  ", "\t", "\u{E4}", "."].randomElement(using: &random)!
        }
        body += end
    }
    return Array((fields.joined(separator: end) + end + end + body).utf8)
}

@Suite("dkimpy", .python("dkim"))
struct DKIMPyComparisonTests {
    @Test("takes all our signatures")
    func ours() async throws {
        var jobs: [DKIMPy.Job] = []
        for seed in UInt64(0)..<80 {
            var signer = try signer()
            signer.headerCanonicalization = seed & 1 == 0 ? .simple : .relaxed
            signer.bodyCanonicalization = seed & 2 == 0 ? .simple : .relaxed
            let signed = try await signer.signed(OctetArray(randomMessage(seed)))
            jobs.append(.init(what: "verify", message: try await signed.allOctets()))
        }
        let answers = try await DKIMPy.answers(to: jobs)
        #expect(answers == Array(repeating: "True", count: jobs.count))
    }

    @Test("makes signatures that we take, and that we do not once they are changed")
    func theirs() async throws {
        var jobs: [DKIMPy.Job] = []
        for seed in UInt64(100)..<180 {
            jobs.append(
                .init(
                    what: "sign", message: randomMessage(seed),
                    header: seed & 1 == 0 ? .simple : .relaxed,
                    body: seed & 2 == 0 ? .simple : .relaxed))
        }
        let verifier = DKIMVerifier(keys: Keys.lookUp)
        for (job, answer) in zip(jobs, try await DKIMPy.answers(to: jobs)) {
            let field = try #require(octets(hex: answer), "\(answer)")
            #expect(
                await verifier.verify(Octets(field + job.message)).results.map(\.outcome) == [.pass]
            )
            let changed = field + job.message + Array("x".utf8)
            #expect(
                await verifier.verify(Octets(changed)).results.map(\.outcome) == [
                    .fail(.bodyChanged)
                ])
        }
    }

    @Test("makes ARC chains that we follow")
    func chains() async throws {
        let jobs = (UInt64(200)..<220).map { seed in
            DKIMPy.Job(
                what: "seal", message: crlf(text(randomMessage(seed).filter { $0 != ASCII.cr })))
        }
        let verifier = ARCVerifier(keys: Keys.lookUp)
        for answer in try await DKIMPy.answers(to: jobs) {
            let message = try #require(octets(hex: answer), "\(answer)")
            let result = await verifier.verify(Octets(message))
            #expect(result.outcome == .pass, "\(result)")
            #expect(result.sets.count == 3)
        }
    }
}
