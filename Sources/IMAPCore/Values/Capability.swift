import MartletBytes

/// One word of a server's list of capabilities, such as `IDLE` or `AUTH=PLAIN`; compared without case. RFC 9051 §7.2.2.
public struct Capability: Hashable, Sendable, CustomStringConvertible {
    /// The word in upper case.
    public let rawValue: String

    /// Any word, known here or not.
    public init(_ rawValue: some StringProtocol) {
        self.rawValue = String(decoding: rawValue.utf8.map(\.uppercased), as: UTF8.self)
    }

    private init(known rawValue: String) { self.rawValue = rawValue }

    /// The part before `=`, or all of it.
    public var name: Substring { rawValue.prefix { $0 != "=" } }

    /// The part behind `=`, if there is one.
    public var value: Substring? {
        rawValue.utf8.firstIndex(of: ASCII.equals).map { rawValue[rawValue.index(after: $0)...] }
    }

    /// As the RFCs write it: some clients look for `IMAP4rev1` with its case.
    public var description: String {
        switch self {
        case .imap4rev1: "IMAP4rev1"
        case .imap4rev2: "IMAP4rev2"
        default: rawValue
        }
    }
}

extension Capability {
    /// RFC 3501.
    public static let imap4rev1 = Capability(known: "IMAP4REV1")
    /// RFC 9051.
    public static let imap4rev2 = Capability(known: "IMAP4REV2")
    /// RFC 3501 §6.2.1.
    public static let startTLS = Capability(known: "STARTTLS")
    /// RFC 3501 §6.2.3.
    public static let loginDisabled = Capability(known: "LOGINDISABLED")
    /// RFC 4959.
    public static let saslIR = Capability(known: "SASL-IR")
    /// RFC 2177.
    public static let idle = Capability(known: "IDLE")
    /// RFC 5465.
    public static let notify = Capability(known: "NOTIFY")
    /// RFC 7162.
    public static let condStore = Capability(known: "CONDSTORE")
    /// RFC 7162.
    public static let qResync = Capability(known: "QRESYNC")
    /// RFC 5161.
    public static let enable = Capability(known: "ENABLE")
    /// RFC 4315.
    public static let uidPlus = Capability(known: "UIDPLUS")
    /// RFC 6851.
    public static let move = Capability(known: "MOVE")
    /// RFC 6154.
    public static let specialUse = Capability(known: "SPECIAL-USE")
    /// RFC 6154.
    public static let createSpecialUse = Capability(known: "CREATE-SPECIAL-USE")
    /// Google's LIST with special uses, from before RFC 6154.
    public static let xList = Capability(known: "XLIST")
    /// RFC 3348.
    public static let children = Capability(known: "CHILDREN")
    /// RFC 5258.
    public static let listExtended = Capability(known: "LIST-EXTENDED")
    /// RFC 5819.
    public static let listStatus = Capability(known: "LIST-STATUS")
    /// RFC 8440.
    public static let listMyRights = Capability(known: "LIST-MYRIGHTS")
    /// RFC 9590.
    public static let listMetadata = Capability(known: "LIST-METADATA")
    /// RFC 2342.
    public static let namespace = Capability(known: "NAMESPACE")
    /// RFC 2971.
    public static let id = Capability(known: "ID")
    /// RFC 4731.
    public static let eSearch = Capability(known: "ESEARCH")
    /// RFC 5182.
    public static let searchRes = Capability(known: "SEARCHRES")
    /// RFC 5267.
    public static let contextSearch = Capability(known: "CONTEXT=SEARCH")
    /// RFC 5267.
    public static let contextSort = Capability(known: "CONTEXT=SORT")
    /// RFC 5267.
    public static let eSort = Capability(known: "ESORT")
    /// RFC 7377.
    public static let multiSearch = Capability(known: "MULTISEARCH")
    /// RFC 5256.
    public static let sort = Capability(known: "SORT")
    /// RFC 5957.
    public static let sortDisplay = Capability(known: "SORT=DISPLAY")
    /// RFC 5032.
    public static let within = Capability(known: "WITHIN")
    /// RFC 6203.
    public static let fuzzySearch = Capability(known: "SEARCH=FUZZY")
    /// RFC 5466.
    public static let filters = Capability(known: "FILTERS")
    /// RFC 9394.
    public static let partial = Capability(known: "PARTIAL")
    /// RFC 7888.
    public static let literalPlus = Capability(known: "LITERAL+")
    /// RFC 7888.
    public static let literalMinus = Capability(known: "LITERAL-")
    /// RFC 3516.
    public static let binary = Capability(known: "BINARY")
    /// RFC 4978.
    public static let compressDeflate = Capability(known: "COMPRESS=DEFLATE")
    /// RFC 9208.
    public static let quota = Capability(known: "QUOTA")
    /// RFC 9208.
    public static let quotaSet = Capability(known: "QUOTASET")
    /// RFC 4314.
    public static let acl = Capability(known: "ACL")
    /// RFC 5464.
    public static let metadata = Capability(known: "METADATA")
    /// RFC 5464: annotations of the server alone.
    public static let metadataServer = Capability(known: "METADATA-SERVER")
    /// RFC 6855.
    public static let utf8Accept = Capability(known: "UTF8=ACCEPT")
    /// RFC 6855.
    public static let utf8Only = Capability(known: "UTF8=ONLY")
    /// RFC 7889.
    public static let appendLimit = Capability(known: "APPENDLIMIT")
    /// RFC 3502.
    public static let multiAppend = Capability(known: "MULTIAPPEND")
    /// RFC 4469.
    public static let catenate = Capability(known: "CATENATE")
    /// RFC 8508.
    public static let replace = Capability(known: "REPLACE")
    /// RFC 4467.
    public static let urlAuth = Capability(known: "URLAUTH")
    /// RFC 5524.
    public static let urlAuthBinary = Capability(known: "URLAUTH=BINARY")
    /// RFC 5550.
    public static let urlPartial = Capability(known: "URL-PARTIAL")
    /// RFC 8474.
    public static let objectID = Capability(known: "OBJECTID")
    /// RFC 8970.
    public static let preview = Capability(known: "PREVIEW")
    /// RFC 8514.
    public static let saveDate = Capability(known: "SAVEDATE")
    /// RFC 8438.
    public static let statusSize = Capability(known: "STATUS=SIZE")
    /// RFC 9051 has it built in; others name it.
    public static let statusDeleted = Capability(known: "STATUS=DELETED")
    /// RFC 3691.
    public static let unselect = Capability(known: "UNSELECT")
    /// RFC 8437.
    public static let unauthenticate = Capability(known: "UNAUTHENTICATE")
    /// Google's extensions: labels, message and thread numbers, its own search.
    public static let gmail = Capability(known: "X-GM-EXT-1")
    /// RFC 9585.
    public static let inProgress = Capability(known: "INPROGRESS")
    /// RFC 9586.
    public static let uidOnly = Capability(known: "UIDONLY")
    /// RFC 9738.
    public static let messageLimit = Capability(known: "MESSAGELIMIT")
    /// RFC 9698.
    public static let jmapAccess = Capability(known: "JMAPACCESS")
    /// RFC 5255.
    public static let language = Capability(known: "LANGUAGE")
}
