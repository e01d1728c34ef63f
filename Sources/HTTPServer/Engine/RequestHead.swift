import CMartletMicrohttpd
import MartletBytes

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A request's header once it was found right.
struct RequestHead {
    let method: HTTPMethod
    let target: HTTPTarget
    let fields: HTTPFields
    let isHTTP11: Bool
    let framing: Framing
    let expectsContinue: Bool

    /// How the body's end is told. RFC 9112 §6.
    enum Framing: Equatable {
        case none
        case length(Int)
        case chunked

        var hasBody: Bool { self != .none && self != .length(0) }
    }
}

/// A request that is not handed on.
struct Refusal: Error {
    let status: HTTPStatus
    let reason: String

    init(_ status: HTTPStatus, _ reason: String) {
        self.status = status
        self.reason = reason
    }
}

/// The parts of a request's header as the library found them.
struct RawHead {
    let method: UnsafePointer<CChar>
    let version: UnsafePointer<CChar>
    /// Where the target stands, and how long it is: it was decoded in place since.
    let target: (start: UInt, count: Int)
    let headerSize: Int
    var fields: [RawField] = []

    struct RawField {
        let name: UnsafeRawBufferPointer
        let value: UnsafeRawBufferPointer
    }
}

extension RequestHead {
    /// Checks what the library lets through: whatever another program on the way could understand in another way ends
    /// the connection. RFC 9112 §11.2.
    init(_ raw: RawHead, target targetText: String, limits: HTTPServerLimits) throws(Refusal) {
        guard raw.headerSize <= limits.headerSizeInOctets, raw.fields.count <= limits.fieldCount
        else {
            throw Refusal(.headerFieldsTooLarge, "The request's header is too large.")
        }
        guard cmartlet_mhd_is_lenient == 0 || raw.isOnPlainLines else {
            throw Refusal(.badRequest, "The header is not made of plain lines that end in CR LF.")
        }
        guard let method = HTTPMethod(String(cString: raw.method)) else {
            throw Refusal(.badRequest, "The method is no token.")
        }
        guard let target = HTTPTarget(targetText) else {
            throw Refusal(.badRequest, "The target is malformed.")
        }
        // RFC 9112 §3.2.4: no resource at all, which is not the same as "/".
        guard target.path != "*" || method == .options else {
            throw Refusal(.badRequest, "Only OPTIONS can ask for *.")
        }
        self.method = method
        self.target = target
        fields = try Self.fields(raw)
        isHTTP11 = String(cString: raw.version) != "HTTP/1.0"
        try Self.checkHost(fields, isHTTP11: isHTTP11)
        framing = try Self.framing(fields, isHTTP11: isHTTP11)
        switch fields[.expect] {
        case nil: expectsContinue = false
        case let text? where text.utf8.lazy.map(\.lowercased).elementsEqual("100-continue".utf8):
            expectsContinue = true
        default: throw Refusal(.expectationFailed, "Only 100-continue can be expected.")
        }
    }

    private static func fields(_ raw: RawHead) throws(Refusal) -> HTTPFields {
        var fields: [HTTPField] = []
        fields.reserveCapacity(raw.fields.count)
        for field in raw.fields {
            guard let name = HTTPField.Name(String(decoding: field.name, as: UTF8.self)) else {
                throw Refusal(.badRequest, "The name of a field is no token.")
            }
            guard let field = HTTPField(name, octets: field.value) else {
                throw Refusal(.badRequest, "The value of \(name) has a control character.")
            }
            fields.append(field)
        }
        return HTTPFields(fields)
    }

    /// RFC 9112 §3.2: one `Host`, which is a host.
    private static func checkHost(_ fields: HTTPFields, isHTTP11: Bool) throws(Refusal) {
        let hosts = fields.values(of: .host)
        guard hosts.count <= 1, hosts.count == 1 || !isHTTP11 else {
            throw Refusal(.badRequest, "Host must be there once.")
        }
        let marks = Array("-._~!$&'()*+,;=%:[]".utf8)
        guard
            hosts.allSatisfy({
                $0.utf8.allSatisfy { $0.isLetter || $0.isDigit || marks.contains($0) }
            })
        else {
            throw Refusal(.badRequest, "Host is no host.")
        }
    }

    /// RFC 9112 §6.3, but strict: two ways to tell the end, or two ends, are none.
    private static func framing(_ fields: HTTPFields, isHTTP11: Bool) throws(Refusal) -> Framing {
        let lengths = fields.values(of: .contentLength)
        let encodings = fields.values(of: .transferEncoding)
        guard lengths.count + encodings.count <= 1 else {
            throw Refusal(.badRequest, "The end of the body is told twice.")
        }
        if let encoding = encodings.first {
            guard isHTTP11 else {
                throw Refusal(.badRequest, "HTTP/1.0 has no Transfer-Encoding.")
            }
            guard encoding.utf8.lazy.map(\.lowercased).elementsEqual("chunked".utf8) else {
                throw Refusal(.notImplemented, "Only chunked is understood as Transfer-Encoding.")
            }
            return .chunked
        }
        guard let text = lengths.first else { return .none }
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit) else {
            throw Refusal(.badRequest, "Content-Length is no number.")
        }
        return .length(Int(text) ?? .max)
    }
}

extension RawHead {
    /// Whether each line ends in CR LF and nothing was joined, cut or passed over on the way: in that case all parts of
    /// the header stand behind each other in memory, with the octets between them that belong there.
    ///
    /// The library parses the header where it was received. It takes a lone LF for a line's end, glues a folded line to
    /// its field's *name*, passes over several spaces, and ends a value at a NUL: each of them makes a distance wrong.
    ///
    /// One thing is not seen: NUL LF at a line's end. The library writes NULs over CR LF, and over the LF alone: afterwards
    /// they are the same. So in front of it must be no program that passes a field on with a NUL in it.
    fileprivate var isOnPlainLines: Bool {
        let start = UInt(bitPattern: method)
        guard target.start == start &+ UInt(strlen(method)) &+ 1,
            UInt(bitPattern: version) == target.start &+ UInt(target.count) &+ 1
        else { return false }
        var end = UInt(bitPattern: version) &+ UInt(strlen(version))
        for field in fields {
            let (name, value) = (
                UInt(bitPattern: field.name.baseAddress), UInt(bitPattern: field.value.baseAddress)
            )
            guard name == end &+ 2, value > name &+ UInt(field.name.count) else { return false }
            end = value &+ UInt(field.value.count)
        }
        return end &+ 4 == start &+ UInt(headerSize)
    }
}
