extension Collection<UInt8> {
    /// Calls `body` with the octets in memory, where they are or a copy.
    package func withUnsafeOctets<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
            return result
        }
        return [UInt8](self).withUnsafeBytes(body)
    }
}
