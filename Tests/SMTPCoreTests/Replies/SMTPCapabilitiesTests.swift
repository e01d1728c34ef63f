import MartletSMTPCore
import Testing

@Suite("Capabilities")
struct SMTPCapabilitiesTests {
    static func parse(_ lines: String...) -> SMTPCapabilities {
        SMTPCapabilities(ehlo: SMTPReply(code: 250, lines: lines.map { Array($0.utf8) }))
    }

    @Test("are read in any case, unknown ones kept with their parameters")
    func reading() {
        let capabilities = Self.parse(
            "mx.example.org Hello [192.0.2.1]", "pipelining", "8bitmime", "Size 35882577",
            "STARTTLS",
            "SMTPUTF8", "XTHING a  b", "", "ENHANCEDSTATUSCODES", "CHUNKING", "DSN")
        #expect(capabilities.serverName == "mx.example.org")
        for keyword: SMTPExtension in [
            .pipelining, .eightBitMIME, .size, .startTLS, .smtpUTF8, .enhancedStatusCodes,
            .chunking, .dsn,
        ] { #expect(capabilities.has(keyword), "\(keyword)") }
        #expect(!capabilities.has(.auth))
        #expect(capabilities.parameters(of: SMTPExtension("xthing")) == ["a", "b"])
        #expect(capabilities.maximumSizeInOctets == 35_882_577)
        #expect(capabilities.extensions.count == 9)
    }

    @Test("name no limit where SIZE has none", arguments: ["SIZE", "SIZE 0", "SIZE x", "SIZE -5"])
    func size(line: String) {
        #expect(Self.parse("mx", line).maximumSizeInOctets == nil)
        #expect(Self.parse("mx", line).has(.size))
    }

    @Test("gather mechanisms of both forms of AUTH, each once")
    func mechanisms() {
        let capabilities = Self.parse("mx", "AUTH LOGIN plain", "AUTH=LOGIN CRAM-MD5", "AUTH=")
        #expect(capabilities.authenticationMechanisms == ["LOGIN", "PLAIN", "CRAM-MD5"])
        #expect(capabilities.has(.auth))
    }
}
