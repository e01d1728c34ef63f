import MartletMIME

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// What was read, so that nothing of the work can be left out.
struct Counts {
    var messages = 0
    var parts = 0
    var headers = 0
    var binary = 0
    var text = 0
    var sum = 0
}

func run(_ maildir: Maildir, _ options: Options) throws {
    let inMemory = options.mode == .mem ? try maildir.paths.map(Maildir.read) : []
    for _ in 0..<options.runs {
        var counts = Counts()
        var octetCount = 0
        let start = seconds()
        let startOfWork = processorSeconds()
        for index in maildir.paths.indices {
            let octets =
                inMemory.isEmpty ? try Maildir.read(maildir.paths[index]) : inMemory[index]
            octetCount += octets.count
            count(Message(parsing: octets), decodesBodies: options.decodesBodies, &counts)
        }
        let wall = seconds() - start
        let work = processorSeconds() - startOfWork
        report(counts, octetCount, (wall, work), maildir.paths.count, options)
    }
}

private func count(_ message: Message, decodesBodies: Bool, _ counts: inout Counts) {
    for part in message.parts {
        if part.parent == nil || part.parent?.kind == .message {
            counts.messages += 1
            countHeader(part, &counts)
        }
        counts.parts += 1
        guard part.kind == .leaf else { continue }
        let isText = part.contentType.type == "text"
        if !isText { counts.headers += part.fileName?.utf8.count ?? 0 }
        guard decodesBodies else { continue }
        if isText {
            let text = part.text().value
            counts.text += text.utf8.count
        } else {
            let octets = part.decodedBody().value
            counts.binary += octets.count
            counts.sum += octets.isEmpty ? 0 : Int(octets[octets.count / 2])
        }
    }
}

private func countHeader(_ part: Part, _ counts: inout Counts) {
    counts.headers += part.subject?.utf8.count ?? 0
    for list in [part.from, part.to, part.cc] {
        for mailbox in list.mailboxes {
            counts.headers += mailbox.displayName?.utf8.count ?? 0
            counts.headers += mailbox.localPart.utf8.count + mailbox.domain.utf8.count
        }
    }
    counts.sum += Int(part.date?.secondsSinceEpoch ?? 0)
    counts.headers += part.messageID?.text.utf8.count ?? 0
}

private func report(
    _ counts: Counts, _ octetCount: Int, _ time: (wall: Double, work: Double),
    _ messageCount: Int, _ options: Options
) {
    let usage = resourceUsage()
    func rounded(_ value: Double, _ factor: Double) -> Double {
        (value * factor).rounded() / factor
    }
    print(
        """
        {"peer":"martlet\(options.decodesBodies ? "" : "-no-decode")","mode":"\(options.mode.rawValue)",\
        "wall_s":\(rounded(time.wall, 10_000)),"cpu_s":\(rounded(time.work, 10_000)),\
        "MBps":\(rounded(Double(octetCount) / 1e6 / time.wall, 10)),\
        "msgps":\(Int(Double(messageCount) / time.wall)),"rss_MB":\(rounded(Double(usage.ru_maxrss) / 1024, 10)),\
        "messages":\(counts.messages),"parts":\(counts.parts),"bin":\(counts.binary),"text":\(counts.text),\
        "headers":\(counts.headers),"sum":\(counts.sum)}
        """)
    fflush(nil)
}

private func resourceUsage() -> rusage {
    var usage = rusage()
    getrusage(.init(RUSAGE_SELF.rawValue), &usage)
    return usage
}

private func processorSeconds() -> Double {
    let usage = resourceUsage()
    let seconds = usage.ru_utime.tv_sec + usage.ru_stime.tv_sec
    let microseconds = usage.ru_utime.tv_usec + usage.ru_stime.tv_usec
    return Double(seconds) + Double(microseconds) / 1e6
}

func seconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
