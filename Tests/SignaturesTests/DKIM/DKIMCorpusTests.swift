import MartletBytes
import MartletSignatures
import MartletTestSupport
import Testing

/// Messages that MimeKit's own tests verify.
@Suite("DKIM corpus", .corpus("mimekit/dkim"))
struct DKIMCorpusTests {
    @Test("a signature of Gmail is good, and no longer when a word is changed")
    func gmail() async throws {
        let message = try Corpus.octets("mimekit/dkim/gmail.msg")
        let pem = text(try Corpus.octets("mimekit/dkim/gmail.pub"))
        let key = pem.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("-----") }.joined()
        let verifier = DKIMVerifier { selector, domain in
            #expect(domain == "gmail.com")
            return Array("v=DKIM1; k=rsa; p=\(key)".utf8)
        }
        let report = await verifier.verify(Octets(message))
        #expect(report.results.map(\.outcome) == [.pass])
        let changed = text(message).replacing("Subject: ", with: "Subject: Re: ")
        #expect(
            await verifier.verify(Octets(Array(changed.utf8))).results.map(\.outcome) == [
                .fail(.headerChanged)
            ])
    }

    @Test("the example of RFC 8463 as a file is good")
    func rfc8463() async throws {
        let message = try Corpus.octets("mimekit/dkim/rfc8463-example.msg")
        let report = await DKIMVerifier(keys: RFC8463.keys).verify(Octets(message))
        #expect(report.results.map(\.outcome) == [.pass, .pass])
    }

    @Test(
        "what is signed verifies, whatever the message is like",
        arguments: ["related.msg", "multipart-no-end-boundary.msg", "gmail.msg"])
    func signed(name: String) async throws {
        let message = try Corpus.octets("mimekit/dkim/" + name)
        for kind in Canonicalization.allCases {
            var signer = try signer("ed", Keys.ed25519)
            signer.headerCanonicalization = kind
            signer.bodyCanonicalization = kind
            let signed = try await signer.signed(OctetArray(message)).allOctets()
            let report = await DKIMVerifier(keys: Keys.lookUp).verify(Octets(signed))
            #expect(report.results.first?.outcome == .pass)
        }
    }
}
