extension SearchKey {
    /// The same in fewer words: AND within AND and OR within OR become one, NOT NOT goes, and so does what is always or
    /// never true beside others. Linear in its size, whatever its depth.
    public var optimized: SearchKey {
        var optimizer = SearchKeyOptimizer(nodes)
        return SearchKey(nodes: optimizer.run())
    }
}

/// Works from the back, so that a part's parts are done before it. What a part consists of is a linked list: joining two
/// takes no time.
private struct SearchKeyOptimizer {
    private var nodes: [SearchKey.Node]
    /// Behind the last part of each.
    private var ends: [Int]
    /// What stands in its place.
    private var places: [Int]
    private var firsts: [Int]
    private var lasts: [Int]
    private var nexts: [Int]

    private static let none = -1

    init(_ nodes: [SearchKey.Node]) {
        self.nodes = nodes
        let nothing = [Int](repeating: Self.none, count: nodes.count)
        ends = nothing
        places = nothing
        firsts = nothing
        lasts = nothing
        nexts = nothing
    }

    mutating func run() -> [SearchKey.Node] {
        for index in nodes.indices.reversed() { reduce(index) }
        return written(from: places[0])
    }

    private mutating func reduce(_ index: Int) {
        places[index] = index
        switch nodes[index] {
        case .criterion: ends[index] = index + 1
        case .not:
            ends[index] = ends[index + 1]
            let part = places[index + 1]
            if case .not = nodes[part] {
                places[index] = firsts[part]
            } else {
                add(part, to: index)
            }
        case .fuzzy:
            ends[index] = ends[index + 1]
            add(places[index + 1], to: index)
        case .and(let count): join(index, count, isAnd: true)
        case .or(let count): join(index, count, isAnd: false)
        }
    }

    private mutating func join(_ index: Int, _ count: Int, isAnd: Bool) {
        var part = index + 1
        var decisive: Int?
        for _ in 0..<count {
            let place = places[part]
            part = ends[part]
            switch nodes[place] {
            case .and where isAnd, .or where !isAnd: splice(place, into: index)
            case _ where isConstant(place, isAnd): break  // it changes nothing
            case _ where isConstant(place, !isAnd): decisive = place
            default: add(place, to: index)
            }
        }
        ends[index] = part
        if let decisive {
            places[index] = decisive
        } else if firsts[index] == Self.none {
            if isAnd { nodes[index] = .criterion(.all) } else { makeNever(index) }
        } else if firsts[index] == lasts[index] {
            places[index] = firsts[index]
        }
    }

    /// Whether it is always true (`ALL`) or never (`NOT ALL`).
    private func isConstant(_ index: Int, _ value: Bool) -> Bool {
        switch nodes[index] {
        case .criterion(.all): value
        case .not: !value && nodes[firsts[index]] == .criterion(.all)
        default: false
        }
    }

    private mutating func makeNever(_ index: Int) {
        nodes[index] = .not
        nodes.append(.criterion(.all))
        for list in [\Self.ends, \.places, \.firsts, \.lasts, \.nexts] {
            self[keyPath: list].append(Self.none)
        }
        add(nodes.count - 1, to: index)
    }

    private mutating func add(_ part: Int, to index: Int) {
        nexts[part] = Self.none
        if firsts[index] == Self.none { firsts[index] = part } else { nexts[lasts[index]] = part }
        lasts[index] = part
    }

    private mutating func splice(_ other: Int, into index: Int) {
        guard firsts[other] != Self.none else { return }
        if firsts[index] == Self.none {
            firsts[index] = firsts[other]
        } else {
            nexts[lasts[index]] = firsts[other]
        }
        lasts[index] = lasts[other]
    }

    private func written(from root: Int) -> [SearchKey.Node] {
        var result: [SearchKey.Node] = []
        var waiting = [root]
        while let index = waiting.popLast() {
            let start = waiting.count
            var part = firsts[index]
            while part != Self.none {
                waiting.append(part)
                part = nexts[part]
            }
            waiting[start...].reverse()
            switch nodes[index] {
            case .and: result.append(.and(waiting.count - start))
            case .or: result.append(.or(waiting.count - start))
            case .not, .fuzzy, .criterion: result.append(nodes[index])
            }
        }
        return result
    }
}
