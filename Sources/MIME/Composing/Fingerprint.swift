/// A number that differs for different octets, most likely, and is always the same for the same ones (FNV-1a).
/// It keeps nothing secret and withstands no attack.
func fingerprint(of octets: some Sequence<UInt8>) -> UInt64 {
    octets.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
}
