/// The numbers of messages in runs, made one by one: a run of a few octets can stand for billions.
struct MessageNumberRuns<Number: MessageNumber>: Sequence, IteratorProtocol, Sendable {
    private var numbers: MessageNumberList.Numbers

    init(_ runs: [MessageNumberList.Run]) { numbers = MessageNumberList.Numbers(runs: runs) }

    mutating func next() -> Number? {
        while let number = numbers.next() {
            if let number = Number(number) { return number }
        }
        return nil
    }
}
