import MartletMIME
import MartletTestSupport
import Testing

@testable import MartletIMAPCore

@Suite("Orders of a mailbox")
struct MessageOrderTests {
    static let mail: [SampleMessage] = {
        var mail = SampleMessage.mailbox([
            "From: \"Zoe\" <adam@example.com>\nTo: G: x@example.com;\nCc: c@example.com\nSubject: Re: beta\nDate: Mon, 2 Nov 2026 10:00:00 +0000\n\n",
            "From: bert@example.com\nTo: zed@example.com\nSubject: [list] Alpha (fwd)\nDate: Mon, 2 Nov 2026 10:30:00 +0200\n\nlonger\n",
            "From: =?utf-8?Q?=C3=84nne?= <Carl@example.com>\nSubject: alpha\n\nx\n",
            "Subject: Fwd: Beta\nFrom: Adam <adam@example.org>\nDate: not a date\n\n",
            "\nnothing at all, but long enough to be the largest of all of them, since its text goes on and on and on and on and on and on and on\n",
        ])
        for (index, hour) in [5, 4, 3, 2, 1].enumerated() {
            mail[index].internalDate = MailDate(
                secondsSinceEpoch: 1_793_500_000 + Int64(hour) * 3_600)
        }
        return mail
    }()

    static let orderCases: [([SortCriterion], [UInt32])] = [
        ([], [1, 2, 3, 4, 5]),
        ([SortCriterion(.arrival)], [5, 4, 3, 2, 1]),
        ([.reverse(.arrival)], [1, 2, 3, 4, 5]),
        // Those without a date count by when they arrived: on 1 Nov.
        ([SortCriterion(.date)], [5, 4, 3, 2, 1]),
        ([SortCriterion(.subject)], [5, 2, 3, 1, 4]),
        ([.reverse(.subject)], [1, 4, 2, 3, 5]),
        ([.reverse(.subject), .reverse(.arrival)], [1, 4, 2, 3, 5]),
        ([SortCriterion(.subject), SortCriterion(.arrival)], [5, 3, 2, 4, 1]),
        ([SortCriterion(.from)], [5, 1, 4, 2, 3]),
        ([SortCriterion(.displayFrom)], [5, 4, 2, 1, 3]),
        ([SortCriterion(.to)], [3, 4, 5, 1, 2]),
        ([SortCriterion(.cc)], [2, 3, 4, 5, 1]),
        ([.reverse(.size), SortCriterion(.arrival)], [5, 1, 2, 4, 3]),
        ([SortCriterion(.relevancy)], [1, 2, 3, 4, 5]),
    ]

    @Test("are as RFC 5256 and RFC 5957 have them", arguments: orderCases)
    func orders(criteria: [SortCriterion], numbers: [UInt32]) {
        let sorted = MessageOrder(criteria).sorted(Self.mail).map(\.number.rawValue)
        #expect(sorted == numbers)
    }

    @Test("have each message once, and what is alike by number", arguments: 0..<50 as Range<UInt64>)
    func laws(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var mail = (1...40 as ClosedRange<UInt32>).map { number in
            var message = SampleMessage(number, "")
            let sample = Samples.odd.randomElement(using: &generator)!
            message.octets = Samples.damaged(Samples.octets(sample), by: &generator)
            return message
        }
        let criteria = SortCriterion.Field.allCases.shuffled(using: &generator).prefix(3).map {
            SortCriterion($0, isReversed: Bool.random(using: &generator))
        }
        let sorted = MessageOrder(criteria).sorted(mail).map(\.number)
        #expect(Set(sorted) == Set(mail.map(\.number)))
        #expect(sorted.count == mail.count)
        // In which order they are given makes no difference.
        mail.shuffle(using: &generator)
        #expect(MessageOrder(criteria).sorted(mail).map(\.number) == sorted)
    }
}
