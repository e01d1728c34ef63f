import MartletMIME
import MartletText

/// What is wrong with the parts of a message, up to the limit in all: a small message can have a great many defects.
struct MessageDefects {
    /// By the numbers of the parts.
    private var bySection: [String: [Defect]] = [:]

    init(of message: Message, detector: CharsetDetector?) {
        var left = MIMELimits.standard.defectCount
        for part in message.parts {
            let found = part.allDefects(detector: detector)
            if found.count > left {
                let last = Defect(.limitReached, at: found[left].offset, limit: "defectCount")
                bySection[part.section] = found[..<left] + [last]
                return
            }
            left -= found.count
            if !found.isEmpty { bySection[part.section] = found }
        }
    }

    subscript(part: Part) -> [Defect] { bySection[part.section] ?? [] }
}
