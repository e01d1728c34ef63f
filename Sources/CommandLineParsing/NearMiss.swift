/// The candidate that `word` was probably meant to be; `nil` where none is close.
///
/// Close means: the start of exactly one candidate, or at most a third of its letters wrong.
func nearest(to word: String, among candidates: [String]) -> String? {
    let word = word.lowercased()
    guard !word.isEmpty, word.utf8.count <= 64 else { return nil }
    let started = candidates.filter { $0.hasPrefix(word) }
    if started.count == 1 { return started[0] }
    let ranked = candidates.map { (distance: editDistance(word, $0.lowercased()), name: $0) }
    guard let best = ranked.min(by: { $0.distance < $1.distance }) else { return nil }
    return best.distance <= max(1, best.name.utf8.count / 3) ? best.name : nil
}

/// Letters to insert, remove, replace or swap with their neighbour to make one word of the other.
func editDistance(_ first: String, _ second: String) -> Int {
    let first = Array(first.utf8)
    let second = Array(second.utf8)
    var beforeLast: [Int] = []
    var last = Array(0...second.count)
    for i in first.indices {
        var row = [i + 1]
        for j in second.indices {
            let change = last[j] + (first[i] == second[j] ? 0 : 1)
            var best = min(change, last[j + 1] + 1, row[j] + 1)
            if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
                best = min(best, beforeLast[j - 1] + 1)
            }
            row.append(best)
        }
        beforeLast = last
        last = row
    }
    return last[second.count]
}
