import Testing

@testable import MartletTestSupport

@Suite("Delivered message")
struct DeliveredMessageTests {
    @Test("loses the server's trace fields and no field of the sender's")
    func trace() {
        let stored =
            "Return-Path: <a@b.test>\nDelivered-To: r@example.test\nReceived: from x\n\tby y\n"
            + "Received: the sender's own\nSubject: s\n\nbody\n"
        let message = DeliveredMessage(
            recipient: "r@example.test", stored: Array(stored.utf8), by: .postfix)
        #expect(message.reversePath == "a@b.test")
        #expect(
            String(decoding: message.octets, as: UTF8.self)
                == "Received: the sender's own\r\nSubject: s\r\n\r\nbody\r\n")
    }

    @Test("shows a bare line feed that went over the wire to aiosmtpd")
    func bareLF() {
        let stored = "Return-Path: <>\r\nSubject: s\r\n\r\nbare\nfeed\r\n"
        let message = DeliveredMessage(
            recipient: "r@example.test", stored: Array(stored.utf8), by: .aiosmtpd)
        #expect(message.reversePath == "")
        #expect(message.octets == Array("Subject: s\r\n\r\nbare\nfeed\r\n".utf8))
    }

    @Test(
        "is taken apart without trapping when it is not a message",
        arguments: ["", "\n", "Return-Path", ":", "Received: \n\t"])
    func garbage(stored: String) {
        let message = DeliveredMessage(recipient: "r", stored: Array(stored.utf8), by: .exim)
        #expect(message.stored == Array(stored.utf8))
    }
}
