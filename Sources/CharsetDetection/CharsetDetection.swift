import MartletBytes
import MartletText

/// The charset that octets seem to be in, by the frequency of their characters: a guess of the library
/// uchardet, for text whose label is missing or cannot be right.
///
///     let decoded = Charset.decodeUnlabelled(octets, detector: { detectCharset($0) })
///
/// It takes about 0.5 µs for each octet that is looked at: 16,384 from the first line on that is not ASCII.
///
/// - Returns: `nil` where there is no guess, where it is of little worth (fewer than four octets above 127
///   seem to be of a charset of one octet), or where the octets are malformed in it.
public func detectCharset(_ octets: UnsafeRawBufferPointer) -> Charset? {
    let sample = CharsetSample(of: octets)
    guard let label = CharsetSample.guess(sample.octets), let charset = Charset(label: label)
    else { return nil }
    return sample.speaks(for: charset) ? charset : nil
}

/// The charset that octets seem to be in; see ``detectCharset(_:)-(UnsafeRawBufferPointer)``.
public func detectCharset(_ octets: some Collection<UInt8>) -> Charset? {
    octets.withUnsafeOctets { detectCharset($0) }
}
