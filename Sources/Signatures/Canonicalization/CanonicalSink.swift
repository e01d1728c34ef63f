/// Takes octets in canonical form.
protocol CanonicalSink {
    mutating func take(_ octets: UnsafeRawBufferPointer)
    mutating func take(_ octet: UInt8)
}

extension [UInt8]: CanonicalSink {
    mutating func take(_ octets: UnsafeRawBufferPointer) { append(contentsOf: octets) }
    mutating func take(_ octet: UInt8) { append(octet) }
}
