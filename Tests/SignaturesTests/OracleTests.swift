import MartletBytes
import MartletFuzzOracles
import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletSignatures

@Suite("Promises for any message")
struct SignatureOracleTests {
    private func changed(_ octets: [UInt8], _ seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return FuzzSeeds.changed(octets, using: &random)
    }

    @Test("hold for DKIM and ARC")
    func dkim() async throws {
        let signer = try DKIMSigner(
            domain: "example.org", selector: "ed", key: DKIMOracle.key())
        let signed = try await signer.signed(OctetArray(sample)).allOctets()
        let chain = try HandMadeChain(sets: 2).message
        for seed in UInt64(0)..<150 {
            let message = seed % 2 == 0 ? signed : chain
            await DKIMOracle.check([0] + changed(message, seed))
        }
        let record = Array(try Keys.ed25519.keyRecord().utf8) + [0]
        await DKIMOracle.check(record + chain)
    }

    @Test("hold for S/MIME")
    func smime() throws {
        let identity = try SMIMEOracle.identity()
        let message = Array("From: jane@example.org\r\n\(SMIMEOracle.content)".utf8)
        let messages = [
            try SMIMESigner(identity).sign(message),
            try SMIMESigner(identity, form: .opaque).sign(message),
            try SMIMEEncryptor(for: [identity.certificate]).encrypt(
                message, at: MailDate(secondsSinceEpoch: 1_900_000_000)),
            try SMIMEEncryptor(for: [identity.certificate], cipher: .aes256CBC).encrypt(
                message, at: MailDate(secondsSinceEpoch: 1_900_000_000)),
        ]
        for (index, message) in messages.enumerated() {
            for seed in UInt64(0)..<100 {
                SMIMEOracle.check(changed(message, seed))
                guard index > 0 else { continue }
                let structure = Message(parsing: message).root.decodedBody().value
                SMIMEOracle.check(changed(structure, seed))
            }
        }
    }
}
