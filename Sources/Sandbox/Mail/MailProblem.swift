import MartletIMAPCore

/// Why something cannot be done with mailboxes: what a client is answered.
struct MailProblem: Error, Sendable {
    var code: ResponseCode?
    var words: String

    init(_ code: ResponseCode?, _ words: String) {
        self.code = code
        self.words = words
    }

    static let noMailbox = MailProblem(.nonexistent, "There is no such mailbox")
    static let noTarget = MailProblem(.tryCreate, "There is no such mailbox")
    static let exists = MailProblem(.alreadyExists, "There is one of that name")
    static let noRoom = MailProblem(.overQuota, "The sandbox's memory is full")
    static let noNumbers = MailProblem(.limit, "The mailbox has no more UIDs")
}
