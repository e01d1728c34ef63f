import CMartletOpenSSL
import MartletCrypto

/// The certificates of a large PEM file, found by their subject and parsed only when asked for.
///
/// To parse the some 140 certificates of a usual bundle takes OpenSSL 3.0 forty times as long as a
/// handshake, and a handshake needs one of them.
final class CertificateBundle: Sendable {
    /// A file smaller than this is parsed at once, in octets.
    static let threshold = 16 << 10

    private let certificates: [[UInt8]]
    private let indicesBySubject: [[UInt8]: [Int]]

    /// - Returns: `nil` when there is something else than plain, whole certificates, or nothing.
    convenience init?(pem octets: [UInt8]) {
        let certificates = octets.withUnsafeBufferPointer { Self.certificates(in: $0) }
        guard let certificates, !certificates.isEmpty else { return nil }
        self.init(certificates)
    }

    private init?(_ certificates: [[UInt8]]) {
        var indicesBySubject: [[UInt8]: [Int]] = [:]
        for (index, der) in certificates.enumerated() {
            guard let subject = Self.subject(of: der) else { return nil }
            indicesBySubject[Array(der[subject]), default: []].append(index)
        }
        self.certificates = certificates
        self.indicesBySubject = indicesBySubject
    }

    private static func certificates(in pem: UnsafeBufferPointer<UInt8>) -> [[UInt8]]? {
        // The BIO reads where the octets are: they must stay there until it is freed.
        guard let bio = BIO_new_mem_buf(pem.baseAddress, Int32(clamping: pem.count)) else {
            return nil
        }
        defer {
            BIO_free(bio)
            ERR_clear_error()
        }
        ERR_clear_error()
        var certificates: [[UInt8]] = []
        while let (label, der) = nextItem(bio) {
            guard label == "CERTIFICATE" else { return nil }
            certificates.append(der)
        }
        return PEM.isAtEnd ? certificates : nil
    }

    private static func nextItem(_ bio: OpaquePointer) -> (label: String, der: [UInt8])? {
        var label: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var octets: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard PEM_read_bio(bio, &label, &header, &octets, &count) == 1 else { return nil }
        defer {
            CRYPTO_free(label, #file, #line)
            CRYPTO_free(header, #file, #line)
            CRYPTO_free(octets, #file, #line)
        }
        return (
            label.map { String(cString: $0) } ?? "",
            [UInt8](UnsafeBufferPointer(start: octets, count: max(0, count)))
        )
    }

    /// Gives `store` the certificates that may have signed those of the peer, or be them.
    ///
    /// - Returns: whether there were any.
    func add(for names: Set<[UInt8]>, to store: OpaquePointer) -> Bool {
        let indices = names.flatMap { indicesBySubject[$0] ?? [] }
        for index in indices { Self.add(certificates[index], to: store) }
        return !indices.isEmpty
    }

    /// Gives `store` everything: names can be equal though their octets differ. RFC 5280 §7.1.
    func addAll(to store: OpaquePointer) {
        for der in certificates { Self.add(der, to: store) }
    }

    private static func add(_ der: [UInt8], to store: OpaquePointer) {
        let certificate = der.withUnsafeBufferPointer { octets in
            var cursor = octets.baseAddress
            return d2i_X509(nil, &cursor, octets.count)
        }
        if let certificate {
            // One that is already there is not added again.
            X509_STORE_add_cert(store, certificate)
            X509_free(certificate)
        }
        ERR_clear_error()
    }

    // MARK: A look at the octets

    /// Where the subject stands:
    ///
    ///     Certificate ::= SEQUENCE { tbsCertificate SEQUENCE {
    ///         version [0] OPTIONAL, serialNumber, signature, issuer, validity, subject, … } … }
    static func subject(of der: [UInt8]) -> Range<Int>? {
        var offset = 0
        guard let certificate = element(of: der, at: &offset, before: der.count) else { return nil }
        offset = certificate.content.lowerBound
        guard let body = element(of: der, at: &offset, before: certificate.content.upperBound)
        else { return nil }
        offset = body.content.lowerBound
        var index = 0
        while let field = element(of: der, at: &offset, before: body.content.upperBound) {
            if field.tag == 0xA0, index == 0 { continue }
            if index == 4 { return field.whole }
            index += 1
        }
        return nil
    }

    private static func element(
        of der: [UInt8], at offset: inout Int, before end: Int
    ) -> (tag: UInt8, whole: Range<Int>, content: Range<Int>)? {
        let start = offset
        guard start + 2 <= end else { return nil }
        var length = Int(der[start + 1])
        var content = start + 2
        if length >= 0x80 {
            // The long form, up to 2^24: certificates are no longer.
            let octets = length & 0x7F
            guard (1...3).contains(octets), content + octets <= end else { return nil }
            length = der[content..<content + octets].reduce(0) { $0 << 8 | Int($1) }
            content += octets
        }
        guard content + length <= end else { return nil }
        offset = content + length
        return (der[start], start..<offset, content..<offset)
    }
}
