/// Timers in order of their time: a binary heap whose cancelled entries are dropped when they come up.
struct TimerQueue {
    struct Entry {
        var time: MonotonicTime
        var handler: any TimerHandler
    }

    private var heap: [Entry] = []

    /// The earliest time, if there is any timer.
    var next: MonotonicTime? { heap.first?.time }

    mutating func insert(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].time < heap[parent].time else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and gives the earliest timer if its time has come.
    mutating func popDue(at now: MonotonicTime) -> Entry? {
        guard let first = heap.first, first.time <= now else { return nil }
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown()
        return first
    }

    private mutating func siftDown() {
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let least = right < heap.count && heap[right].time < heap[left].time ? right : left
            guard heap[least].time < heap[parent].time else { return }
            heap.swapAt(least, parent)
            parent = least
        }
    }
}
