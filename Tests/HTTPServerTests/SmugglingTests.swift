import CMartletMicrohttpd
import MartletHTTPServer
import MartletTestSupport
import Synchronization
import Testing

/// Requests that two programs on the way could understand in two ways. RFC 9112 §11.2.
///
/// Each is followed by a request for `/smuggled`, which must never be answered: it is a part of the first for one of
/// them, and a request of its own for the other.
@Suite("HTTP request smuggling", .timeLimit(.minutes(2)))
struct SmugglingTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        let name: String
        let request: String
        var testDescription: String { name }

        init(_ name: String, _ request: String) {
            self.name = name
            self.request = request
        }

        /// A POST with these fields and this body.
        init(_ name: String, fields: String, body: String = "") {
            self.init(name, "POST / HTTP/1.1\r\nHost: a.test\r\n\(fields)\r\n\r\n\(body)")
        }
    }

    static let refused = [
        Vector(
            "both ends", fields: "Content-Length: 5\r\nTransfer-Encoding: chunked",
            body: "0\r\n\r\n"),
        Vector(
            "both ends, the other way", fields: "Transfer-Encoding: chunked\r\nContent-Length: 5",
            body: "0\r\n\r\n"),
        Vector("two lengths", fields: "Content-Length: 0\r\nContent-Length: 5", body: "abcde"),
        Vector(
            "two equal lengths", fields: "Content-Length: 5\r\ncontent-length: 5", body: "abcde"),
        Vector("a list of lengths", fields: "Content-Length: 5, 5", body: "abcde"),
        Vector("a sign", fields: "Content-Length: +5", body: "abcde"),
        Vector("a negative length", fields: "Content-Length: -5", body: "abcde"),
        Vector("a hexadecimal length", fields: "Content-Length: 0x5", body: "abcde"),
        Vector("a blank in a length", fields: "Content-Length: 1 0", body: "abcde"),
        Vector("an empty length", fields: "Content-Length:", body: "abcde"),
        Vector("a length in other digits", fields: "Content-Length: \u{0665}", body: "abcde"),
        Vector("a name with a blank", fields: "Content-Length : 5", body: "abcde"),
        Vector("a name with a tab", fields: "Transfer-Encoding\t: chunked", body: "0\r\n\r\n"),
        Vector(
            "a name with a control", fields: "Transfer-Encoding\u{0B}: chunked", body: "0\r\n\r\n"),
        Vector("no name", fields: ": chunked"),
        Vector("no colon", fields: "Transfer-Encoding"),
        Vector(
            "two encodings", fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            body: "0\r\n\r\n"),
        Vector(
            "a list of encodings", fields: "Transfer-Encoding: gzip, chunked", body: "0\r\n\r\n"),
        Vector("chunked twice", fields: "Transfer-Encoding: chunked, chunked", body: "0\r\n\r\n"),
        Vector("another encoding", fields: "Transfer-Encoding: identity"),
        Vector("a quoted encoding", fields: "Transfer-Encoding: \"chunked\"", body: "0\r\n\r\n"),
        Vector(
            "an encoding with a control", fields: "Transfer-Encoding: \u{0B}chunked",
            body: "0\r\n\r\n"),
        Vector(
            "an encoding of HTTP/1.0",
            "POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        ),
        Vector("a folded value", fields: "X: a\r\n b"),
        Vector("a folded name", fields: "Transfer: chunked\r\n -Encoding", body: "0\r\n\r\n"),
        Vector("a fold in the end", fields: "Content-Length: 5\r\n\t", body: "abcde"),
        Vector("a fold in front", "POST / HTTP/1.1\r\n Host: a.test\r\nHost: a.test\r\n\r\n"),
        Vector(
            "a lone LF behind a field", fields: "X: a\nTransfer-Encoding: chunked",
            body: "0\r\n\r\n"),
        Vector(
            "a lone LF behind the last field",
            "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\n\r\nabcde"),
        Vector(
            "a lone LF at the header's end",
            "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n\nabcde"),
        Vector(
            "a lone LF behind the request line",
            "POST / HTTP/1.1\nHost: a.test\r\nContent-Length: 5\r\n\r\nabcde"),
        Vector("lone LFs", "POST / HTTP/1.1\nHost: a.test\nContent-Length: 5\n\nabcde"),
        Vector("a lone CR in a field", fields: "X: a\rTransfer-Encoding: chunked"),
        Vector("two CRs", fields: "X: a\r\r\nContent-Length: 5", body: "abcde"),
        Vector("a NUL in a value", fields: "X: a\0b"),
        Vector("a NUL in a length", fields: "Content-Length: 0\u{0}5", body: "abcde"),
        Vector("a NUL in a name", fields: "Content\0-Length: 5", body: "abcde"),
        Vector("a NUL in the target", "GET /\0 HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        Vector("a NUL in the method", "GE\0T / HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        Vector("no host", "GET / HTTP/1.1\r\n\r\n"),
        Vector("two hosts", "GET / HTTP/1.1\r\nHost: a.test\r\nHost: b.test\r\n\r\n"),
        Vector("a host that is none", "GET / HTTP/1.1\r\nHost: a.test/b\r\n\r\n"),
        Vector("a host with a user", "GET / HTTP/1.1\r\nHost: a@b.test\r\n\r\n"),
        Vector("two blanks", "GET  / HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        Vector("a tab", "GET\t/ HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        Vector("a blank in the target", "GET /a b HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        Vector("a blank behind the version", "GET / HTTP/1.1 \r\nHost: a.test\r\n\r\n"),
        Vector("a blank in front", " GET / HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        Vector("a method that is none", "G(T / HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        Vector("no version", "GET /\r\nHost: a.test\r\n\r\n"),
        Vector("a version in other letters", "GET / http/1.1\r\nHost: a.test\r\n\r\n"),
        Vector("version 0.9", "GET / HTTP/0.9\r\nHost: a.test\r\n\r\n"),
        Vector("version 2.0", "GET / HTTP/2.0\r\nHost: a.test\r\n\r\n"),
        Vector("version 1.10", "GET / HTTP/1.10\r\nHost: a.test\r\n\r\n"),
        Vector("the beginning of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Vector("a target that is none", "GET a.test HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        Vector("no resource", "GET * HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        Vector("no resource", "POST * HTTP/1.1\r\nHost: a.test\r\nContent-Length: 0\r\n\r\n"),
        Vector("a tunnel", "CONNECT a.test:443 HTTP/1.1\r\nHost: a.test\r\n\r\n"),
        Vector(
            "a chunk's size with a sign", fields: "Transfer-Encoding: chunked",
            body: "+1\r\na\r\n0\r\n\r\n"),
        Vector(
            "a chunk's size with 0x", fields: "Transfer-Encoding: chunked",
            body: "0x1\r\na\r\n0\r\n\r\n"),
        Vector(
            "a chunk's size with a blank", fields: "Transfer-Encoding: chunked",
            body: "1 \r\na\r\n0\r\n\r\n"),
        Vector(
            "a chunk's size behind a blank", fields: "Transfer-Encoding: chunked",
            body: " 1\r\na\r\n0\r\n\r\n"),
        Vector("no chunk's size", fields: "Transfer-Encoding: chunked", body: "\r\na\r\n0\r\n\r\n"),
        Vector(
            "a chunk's size that is none", fields: "Transfer-Encoding: chunked",
            body: "g\r\na\r\n0\r\n\r\n"),
        Vector(
            "a chunk's size beyond 64 bits", fields: "Transfer-Encoding: chunked",
            body: "10000000000000001\r\na\r\n0\r\n\r\n"),
        Vector(
            "a chunk that is longer than its size", fields: "Transfer-Encoding: chunked",
            body: "1\r\nabc\r\n0\r\n\r\n"),
    ]

    /// What the library takes, and nothing of ours sees. It stays without harm since the connection ends behind it.
    static let taken = [
        Vector(
            "a lone LF behind a chunk's size", fields: "Transfer-Encoding: chunked",
            body: "1\na\r\n0\r\n\r\n"),
        Vector(
            "a lone LF behind a chunk", fields: "Transfer-Encoding: chunked",
            body: "1\r\na\n0\r\n\r\n"),
        Vector(
            "a lone LF in an extension", fields: "Transfer-Encoding: chunked",
            body: "1;x\na\r\n0\r\n\r\n"),
        Vector(
            "lone LFs at the end", fields: "Transfer-Encoding: chunked", body: "1\r\na\r\n0\n\n"),
        Vector(
            "a well-formed chunked body", fields: "Transfer-Encoding: chunked",
            body: "1\r\na\r\n0\r\n\r\n"),
    ]

    /// What libmicrohttpd before 0.9.77 makes the same as CR LF before anybody can look: see `RawHead.isOnPlainLines`.
    static let unseen = [
        Vector("a NUL and LF behind a field", fields: "X: a\0\nContent-Length: 3", body: "abc"),
        Vector(
            "a NUL and LF before an encoding", fields: "X: a\0\nTransfer-Encoding: chunked",
            body: "0\r\n\r\n"),
        Vector(
            "a NUL and LF behind a length",
            "POST / HTTP/1.1\r\nHost: a.test\r\nContent-Length: 3\0\n\r\nabc"),
        Vector(
            "a NUL and LF at the header's end",
            "POST / HTTP/1.1\r\nHost: a.test\r\nX: a\r\n\0\nContent-Length: 3\r\n\r\nabc"),
    ]

    private func answers(to vector: Vector) async throws -> (text: String, handled: [String]) {
        let handled = Mutex<[String]>([])
        let text = try await withServer(handler: { request in
            handled.withLock { $0.append(request.target.path) }
            return .text("handled " + request.target.path)
        }) { server in
            let client = try await RawClient(server)
            let next = "GET /smuggled HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n"
            try? await client.say(vector.request + next)
            let text = String(decoding: try await client.rest(), as: UTF8.self)
            await client.close()
            try await waitUntil { server.connectionCount == 0 }
            return text
        }
        return (text, handled.withLock { $0 })
    }

    @Test("is refused", arguments: refused)
    func refuses(vector: Vector) async throws {
        let (text, handled) = try await answers(to: vector)
        #expect(handled == [])
        #expect(text.isEmpty || text.contains(#/^HTTP\/1\.1 [45]\d\d /#), "\(text)")
        #expect(!text.contains("handled"))
    }

    @Test("comes to nothing where the library lets it through", arguments: taken)
    func endsConnection(vector: Vector) async throws {
        let (text, handled) = try await answers(to: vector)
        #expect(handled == ["/"])
        #expect(text.hasPrefix("HTTP/1.1 200 OK"))
        #expect(!text.contains("smuggled"))
    }

    @Test("is not seen where the library hides it, which a later one does not", arguments: unseen)
    func hidden(vector: Vector) async throws {
        try await withKnownIssue {
            let (_, handled) = try await answers(to: vector)
            #expect(handled == [])
        } when: {
            cmartlet_mhd_is_lenient != 0
        }
    }

    @Test("finds no fault with what is right")
    func right() async throws {
        for request in [
            "POST / HTTP/1.1\r\nHost: a.test:80\r\nContent-Length: 5\r\n\r\nabcde",
            "POST / HTTP/1.1\r\nHOST:[::1]:80\r\nCONTENT-LENGTH:0005\r\n\r\nabcde",
            "\r\n\r\nGET http://a.test/ HTTP/1.1\r\nHost: a.test\r\nX:\r\nY: \t \r\nZ:\t1\t\r\n\r\n",
            "GET /?a=%20&b=+&&c=%C3%BC HTTP/1.1\r\nHost: a.test\r\nCookie: a=b; c=\"d, e\"; f\r\n\r\n",
            "GET / HTTP/1.1\r\nHost:\r\nX-Latin: \u{E9}\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nHost: a.test\r\n\r\n",
            "M-SEARCH / HTTP/1.2\r\nHost: a.test\r\n\r\n",
        ] {
            let (text, handled) = try await answers(to: Vector("right", request))
            #expect(handled.count == 2, "\(request)")
            #expect(text.contains("smuggled"))
        }
    }
}
