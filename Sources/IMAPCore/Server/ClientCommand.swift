/// A command that a server has read. RFC 9051 §6, and the extensions' own sections.
///
/// The values are those that a client sends: what they hold is checked, whether they are allowed now is for the server.
public enum ClientCommand: Sendable {
    // Any state
    /// `CAPABILITY`.
    case capability
    /// `NOOP`.
    case noop
    /// `LOGOUT`.
    case logout
    /// `ID`.
    case identify(IMAP.Identify)
    /// `LANGUAGE`.
    case language(IMAP.Language)

    // Before login
    /// `STARTTLS`.
    case startTLS
    /// `LOGIN`.
    case login(IMAP.Login)
    /// `AUTHENTICATE`.
    case authenticate(IMAP.Authenticate)

    // After login
    /// `ENABLE`.
    case enable(IMAP.Enable)
    /// `IDLE`.
    case idle
    /// `COMPRESS`.
    case compress
    /// `UNAUTHENTICATE`.
    case unauthenticate
    /// `SELECT`.
    case select(IMAP.Select)
    /// `CREATE`.
    case create(IMAP.Create)
    /// `DELETE`.
    case delete(IMAP.Delete)
    /// `RENAME`.
    case rename(IMAP.Rename)
    /// `SUBSCRIBE`.
    case subscribe(IMAP.Subscribe)
    /// `UNSUBSCRIBE`.
    case unsubscribe(IMAP.Unsubscribe)
    /// `LIST`.
    case list(IMAP.List)
    /// `LSUB`.
    case listSubscribed(IMAP.ListSubscribed)
    /// `XLIST`.
    case xList(IMAP.XList)
    /// `NAMESPACE`.
    case namespace
    /// `STATUS`.
    case status(IMAP.Status)
    /// `NOTIFY`.
    case notify(IMAP.Notify)
    /// `APPEND`.
    case append(IMAP.Append)
    /// `ESEARCH`.
    case multiSearch(IMAP.MultiSearch)
    /// `GETQUOTA`.
    case getQuota(IMAP.GetQuota)
    /// `GETQUOTAROOT`.
    case getQuotaRoot(IMAP.GetQuotaRoot)
    /// `SETQUOTA`.
    case setQuota(IMAP.SetQuota)
    /// `GETACL`.
    case getACL(IMAP.GetACL)
    /// `SETACL`.
    case setACL(IMAP.SetACL)
    /// `DELETEACL`.
    case deleteACL(IMAP.DeleteACL)
    /// `LISTRIGHTS`.
    case listRights(IMAP.ListRights)
    /// `MYRIGHTS`.
    case myRights(IMAP.MyRights)
    /// `GETMETADATA`.
    case getMetadata(IMAP.GetMetadata)
    /// `SETMETADATA`.
    case setMetadata(IMAP.SetMetadata)
    /// `GENURLAUTH`.
    case generateURLs(IMAP.GenerateURLs)
    /// `RESETKEY`.
    case resetKey(IMAP.ResetKey)
    /// `URLFETCH`.
    case fetchURLs(IMAP.FetchURLs)
    /// `GETJMAPACCESS`.
    case getJMAPAccess
    /// `COMPARATOR`.
    case comparator(IMAP.Comparator)

    // With a mailbox selected
    /// `CHECK`.
    case check
    /// `CLOSE`.
    case close
    /// `UNSELECT`.
    case unselect
    /// `EXPUNGE`.
    case expunge
    /// `UID EXPUNGE`.
    case uidExpunge(IMAP.UIDExpunge)
    /// `FETCH`.
    case fetch(IMAP.Fetch<SequenceNumber>)
    /// `UID FETCH`.
    case uidFetch(IMAP.Fetch<UID>)
    /// `STORE`.
    case store(IMAP.Store<SequenceNumber>)
    /// `UID STORE`.
    case uidStore(IMAP.Store<UID>)
    /// `COPY`.
    case copy(IMAP.Copy<SequenceNumber>)
    /// `UID COPY`.
    case uidCopy(IMAP.Copy<UID>)
    /// `MOVE`.
    case move(IMAP.Move<SequenceNumber>)
    /// `UID MOVE`.
    case uidMove(IMAP.Move<UID>)
    /// `REPLACE`.
    case replace(IMAP.Replace<SequenceNumber>)
    /// `UID REPLACE`.
    case uidReplace(IMAP.Replace<UID>)
    /// `SEARCH`.
    case search(IMAP.Search<SequenceNumber>)
    /// `UID SEARCH`.
    case uidSearch(IMAP.Search<UID>)
    /// `SORT`.
    case sort(IMAP.Sort<SequenceNumber>)
    /// `UID SORT`.
    case uidSort(IMAP.Sort<UID>)
    /// `THREAD`.
    case thread(IMAP.Thread<SequenceNumber>)
    /// `UID THREAD`.
    case uidThread(IMAP.Thread<UID>)
    /// `CANCELUPDATE`.
    case cancelUpdate(IMAP.CancelUpdate)

    /// The command as a client sends it: its name, and the state that it needs.
    public var command: any IMAPCommand {
        switch self {
        case .capability: IMAP.CapabilityCommand()
        case .noop: IMAP.Noop()
        case .logout: IMAP.Logout()
        case .startTLS: IMAP.StartTLS()
        case .idle: IMAP.Idle()
        case .compress: IMAP.Compress()
        case .unauthenticate: IMAP.Unauthenticate()
        case .namespace: IMAP.Namespace()
        case .getJMAPAccess: IMAP.GetJMAPAccess()
        case .check: IMAP.Check()
        case .close: IMAP.Close()
        case .unselect: IMAP.Unselect()
        case .expunge: IMAP.Expunge()
        case .identify(let command as any IMAPCommand), .language(let command as any IMAPCommand),
            .login(let command as any IMAPCommand), .authenticate(let command as any IMAPCommand),
            .enable(let command as any IMAPCommand), .select(let command as any IMAPCommand),
            .create(let command as any IMAPCommand), .delete(let command as any IMAPCommand),
            .rename(let command as any IMAPCommand), .subscribe(let command as any IMAPCommand),
            .unsubscribe(let command as any IMAPCommand), .list(let command as any IMAPCommand),
            .listSubscribed(let command as any IMAPCommand), .xList(let command as any IMAPCommand),
            .status(let command as any IMAPCommand), .notify(let command as any IMAPCommand),
            .append(let command as any IMAPCommand), .multiSearch(let command as any IMAPCommand),
            .getQuota(let command as any IMAPCommand),
            .getQuotaRoot(let command as any IMAPCommand),
            .setQuota(let command as any IMAPCommand), .getACL(let command as any IMAPCommand),
            .setACL(let command as any IMAPCommand), .deleteACL(let command as any IMAPCommand),
            .listRights(let command as any IMAPCommand), .myRights(let command as any IMAPCommand),
            .getMetadata(let command as any IMAPCommand),
            .setMetadata(let command as any IMAPCommand),
            .generateURLs(let command as any IMAPCommand),
            .resetKey(let command as any IMAPCommand), .fetchURLs(let command as any IMAPCommand),
            .comparator(let command as any IMAPCommand),
            .uidExpunge(let command as any IMAPCommand), .fetch(let command as any IMAPCommand),
            .uidFetch(let command as any IMAPCommand), .store(let command as any IMAPCommand),
            .uidStore(let command as any IMAPCommand), .copy(let command as any IMAPCommand),
            .uidCopy(let command as any IMAPCommand), .move(let command as any IMAPCommand),
            .uidMove(let command as any IMAPCommand), .replace(let command as any IMAPCommand),
            .uidReplace(let command as any IMAPCommand), .search(let command as any IMAPCommand),
            .uidSearch(let command as any IMAPCommand), .sort(let command as any IMAPCommand),
            .uidSort(let command as any IMAPCommand), .thread(let command as any IMAPCommand),
            .uidThread(let command as any IMAPCommand),
            .cancelUpdate(let command as any IMAPCommand):
            command
        }
    }
}

/// A command and the tag by which it is answered.
public struct ReceivedCommand: Sendable {
    /// The tag.
    public var tag: String
    /// The command.
    public var command: ClientCommand

    /// Makes one.
    public init(tag: String, command: ClientCommand) {
        self.tag = tag
        self.command = command
    }
}
