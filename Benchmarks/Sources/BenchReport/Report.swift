/// Figures under names, printed as one line of JSON in the order in which they were noted.
public struct Report {
    private var fields: [String] = []

    /// Nothing is noted yet.
    public init() {}

    /// Notes a text.
    public mutating func note(_ name: String, _ text: String) {
        fields.append("\"\(name)\": \"\(text)\"")
    }
    /// Notes a count.
    public mutating func note(_ name: String, _ number: Int) {
        fields.append("\"\(name)\": \(number)")
    }
    /// Notes a figure, with four decimals.
    public mutating func note(_ name: String, _ value: Double) {
        fields.append("\"\(name)\": \((value * 10_000).rounded() / 10_000)")
    }

    /// The least, the median and the greatest of some times, in milliseconds.
    public mutating func note(milliseconds name: String, _ seconds: [Double]) {
        let sorted = seconds.sorted().map { $0 * 1_000 }
        guard let least = sorted.first, let most = sorted.last else { return }
        note(name + "_min_ms", least)
        note(name + "_median_ms", sorted[sorted.count / 2])
        note(name + "_max_ms", most)
    }

    /// All of it.
    public var json: String { "{" + fields.joined(separator: ", ") + "}" }
}

/// Seconds since a moment.
public func seconds(since start: ContinuousClock.Instant) -> Double {
    (ContinuousClock.now - start) / .seconds(1)
}
