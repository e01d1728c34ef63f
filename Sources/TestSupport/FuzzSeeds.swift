/// The first inputs of the fuzz targets, which are tests' inputs too.
public enum FuzzSeeds {
    private static let folder =
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/Fuzz/Seeds/"

    /// The names of the seeds of a target, sorted.
    public static func names(of target: String) throws(SystemFailure) -> [String] {
        try namesInFolder(folder + target)
    }

    /// The octets of a seed.
    public static func octets(_ name: String, of target: String) throws(SystemFailure) -> [UInt8] {
        try MartletTestSupport.octets(ofFile: folder + target + "/" + name)
    }

    /// Calls `check` with each seed of a target, and with it changed in a few places, again and again.
    ///
    /// - Parameter count: how many changed ones are made of each seed.
    public static func forEachChanged(
        of target: String, count: Int, _ check: ([UInt8]) -> Void
    ) throws(SystemFailure) {
        for (place, name) in try names(of: target).enumerated() {
            let seed = try octets(name, of: target)
            check(seed)
            for round in 0..<count {
                var random = SeededGenerator(seed: UInt64(place * count + round))
                check(changed(seed, using: &random))
            }
        }
    }

    /// Octets with some replaced, removed, doubled or put in.
    public static func changed(_ octets: [UInt8], using random: inout SeededGenerator) -> [UInt8] {
        var octets = octets
        for _ in 0..<Int.random(in: 1...6, using: &random) where !octets.isEmpty {
            let start = Int.random(in: 0..<octets.count, using: &random)
            let end = min(octets.count, start + Int.random(in: 1...12, using: &random))
            switch Int.random(in: 0..<4, using: &random) {
            case 0: octets[start] = UInt8.random(in: 0...255, using: &random)
            case 1: octets.removeSubrange(start..<end)
            case 2: octets.insert(contentsOf: octets[start..<end], at: start)
            default:
                let signs = Array("\r\n\t \0:;=?\"()<>@,-\u{1B}%&".utf8)
                octets.insert(signs.randomElement(using: &random)!, at: start)
            }
        }
        return octets
    }
}
