import MartletBytes
extension UnsafeRawBufferPointer {
    func firstOffset(of octet: UInt8, from start: Int) -> Int? { self[start...].firstIndex(of: octet) }
}
enum BodyDecoding { static func decode(_ b: UnsafeRawBufferPointer, _ e: BodyEncoding) -> Parsed<[UInt8]> { Parsed(Base64.decode(b.filter { $0 > 32 }) ?? []) } }
extension ContentSniffer {
    static func boundary(_ value: UnsafeRawBufferPointer) -> [UInt8] {
        let t = String(decoding: value, as: UTF8.self)
        guard let r = t.lowercased().range(of: "boundary=") else { return [] }
        var rest = t[r.upperBound...]
        if rest.first == "\"" { rest = rest.dropFirst().prefix { $0 != "\"" } } else { rest = rest.prefix { !"; \r\n\t\n".contains($0) } }
        var b = Array(rest.utf8)
        while b.last?.isBlank == true { b.removeLast() }
        return b
    }
}
extension String { func range(of s: String) -> Range<String.Index>? { 
  var i = startIndex
  while i < endIndex { if self[i...].hasPrefix(s) { return i..<index(i, offsetBy: s.count) }; i = index(after: i) }
  return nil } }
