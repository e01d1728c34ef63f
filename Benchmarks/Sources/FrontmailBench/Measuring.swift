import Foundation
import Synchronization

/// Sends `sends` mails by `callers` tasks, and prints what it took.
func measure(
    _ name: String, _ sender: any Sender, sends: Int, callers: Int
) async throws {
    // connections and what Foundation loads once
    for number in 0..<min(sends, 64) { try await sender.send(number) }
    let before = residentMemory()
    let cpu = processorTime()
    let start = ContinuousClock.now
    let counter = Counter()
    try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<callers {
            group.addTask {
                while true {
                    let number = counter.next()
                    guard number < sends else { return }
                    try await sender.send(number)
                }
            }
        }
        try await group.waitForAll()
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let (after, spent) = (residentMemory(), processorTime() - cpu)
    func text(_ value: Double) -> String { String(format: "%.1f", value) }
    print(
        #"{"program":"\#(name)","callers":\#(callers),"sends_per_s":\#(Int(Double(sends) / seconds)),"#
            + #""rss_before_MB":\#(text(before)),"rss_after_MB":\#(text(after)),"#
            + #""grown_MB":\#(text(after - before)),"cpu_us_per_send":\#(Int(spent * 1e6 / Double(sends)))}"#
    )
}

/// Numbers from 0 on, each once.
final class Counter: Sendable {
    private let count = Atomic(0)

    func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}

/// Megabytes of this process that are in memory.
private func residentMemory() -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
    let kilobytes = line?.split(separator: " ").dropLast().last.flatMap { Double($0) }
    return (kilobytes ?? 0) / 1_000
}

/// Seconds that the processors have worked for this process.
private func processorTime() -> Double {
    var usage = rusage()
    getrusage(.init(RUSAGE_SELF.rawValue), &usage)
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
}
