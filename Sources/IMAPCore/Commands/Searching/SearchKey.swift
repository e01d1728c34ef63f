/// What to search for: criteria, joined. RFC 9051 §6.4.4 `search-key`.
///
///     let key = SearchKey.and([.unseen, .or([.from("alice"), .subject("lunch")]), .not(.deleted)])
///
/// It is a flat list, each part before those that it is of, so that no nesting is too deep for it. What goes over the wire
/// may nest up to `depthLimit`.
public struct SearchKey: Hashable, Sendable {
    enum Node: Hashable, Sendable {
        /// All of the next so many.
        case and(Int)
        /// Any of the next so many.
        case or(Int)
        /// Not the next.
        case not
        /// The next, or something like it. RFC 6203.
        case fuzzy
        case criterion(SearchCriterion)
    }

    let nodes: [Node]

    init(nodes: [Node]) { self.nodes = nodes }

    /// How deep parentheses, `OR` and `NOT` may nest in what is sent. Long chains of OR are balanced, and need little.
    public static let depthLimit = 100

    /// A criterion.
    public init(_ criterion: SearchCriterion) { nodes = [.criterion(criterion)] }

    /// All of them are true; with none, always.
    public static func and(_ keys: [SearchKey]) -> SearchKey {
        SearchKey(nodes: [.and(keys.count)] + keys.flatMap(\.nodes))
    }

    /// One of them is true at least; with none, never.
    public static func or(_ keys: [SearchKey]) -> SearchKey {
        SearchKey(nodes: [.or(keys.count)] + keys.flatMap(\.nodes))
    }

    /// It is not true.
    public static func not(_ key: SearchKey) -> SearchKey {
        SearchKey(nodes: [.not] + key.nodes)
    }

    /// Something like it is true, as the server understands that. RFC 6203 §4.
    public static func fuzzy(_ key: SearchKey) -> SearchKey {
        SearchKey(nodes: [.fuzzy] + key.nodes)
    }

    /// The criteria in it, in their order.
    public var criteria: some Sequence<SearchCriterion> & Sendable {
        nodes.lazy.compactMap { node in
            if case .criterion(let criterion) = node { criterion } else { nil }
        }
    }

    /// Whether it is true, given what `isTrue` says of each criterion. Each is asked once; what is fuzzy counts as it is.
    public func evaluate(_ isTrue: (SearchCriterion) throws -> Bool) rethrows -> Bool {
        // From the back: the values of a part's parts are on the stack when it is its turn.
        var values: [Bool] = []
        for node in nodes.reversed() {
            switch node {
            case .criterion(let criterion): values.append(try isTrue(criterion))
            case .not: values[values.count - 1].toggle()
            case .fuzzy: break
            case .and(let count):
                let value = values.suffix(count).allSatisfy { $0 }
                values.removeLast(count)
                values.append(value)
            case .or(let count):
                let value = values.suffix(count).contains(true)
                values.removeLast(count)
                values.append(value)
            }
        }
        return values.last ?? true
    }
}
