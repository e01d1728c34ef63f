/// Contents in memory: how many messages have each, and in which accounts.
struct MailHoldings {
    private struct Holding {
        let content: MailContent
        var count: Int
        var accounts: Set<String> = []
    }

    private var holdings: [Int: Holding] = [:]
    private var lastNumber = 0
    private var firstNumber = 1
    /// Octets of all contents.
    private(set) var sizeInOctets = 0

    /// How many contents there are.
    var count: Int { holdings.count }

    /// Makes a content that is held once.
    mutating func add(_ octets: [UInt8]) -> MailContent {
        lastNumber += 1
        let content = MailContent(number: lastNumber, octets: octets)
        holdings[lastNumber] = Holding(content: content, count: 1)
        sizeInOctets += octets.count
        return content
    }

    /// A number for a content that is not in memory.
    mutating func number() -> Int {
        lastNumber += 1
        return lastNumber
    }

    /// Another message has it.
    mutating func hold(_ content: MailContent, _ account: String) {
        holdings[content.number]?.count += 1
        holdings[content.number]?.accounts.insert(account)
    }

    /// A message that had it is gone.
    mutating func release(_ content: MailContent) {
        guard var holding = holdings[content.number] else { return }
        holding.count -= 1
        guard holding.count == 0 else {
            holdings[content.number] = holding
            return
        }
        holdings[content.number] = nil
        sizeInOctets -= content.sizeInOctets
    }

    /// The content that came first, and the accounts that have it or had it.
    var oldest: (content: MailContent, accounts: Set<String>)? {
        mutating get {
            while firstNumber <= lastNumber {
                if let holding = holdings[firstNumber] {
                    return (holding.content, holding.accounts)
                }
                firstNumber += 1
            }
            return nil
        }
    }
}
