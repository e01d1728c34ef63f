/// A command that a server has read. RFC 9051 §6, and the extensions' own sections.
///
/// The values are those that a client sends: what they hold is checked, whether they are allowed now is for the server.
public enum ClientCommand: Sendable {
    // Any state
    case capability
    case noop
    case logout
    case identify(IMAP.Identify)
    case language(IMAP.Language)

    // Before login
    case startTLS
    case login(IMAP.Login)
    case authenticate(IMAP.Authenticate)

    // After login
    case enable(IMAP.Enable)
    case idle
    case compress
    case unauthenticate
    case select(IMAP.Select)
    case create(IMAP.Create)
    case delete(IMAP.Delete)
    case rename(IMAP.Rename)
    case subscribe(IMAP.Subscribe)
    case unsubscribe(IMAP.Unsubscribe)
    case list(IMAP.List)
    case listSubscribed(IMAP.ListSubscribed)
    case xList(IMAP.XList)
    case namespace
    case status(IMAP.Status)
    case notify(IMAP.Notify)
    case append(IMAP.Append)
    case multiSearch(IMAP.MultiSearch)
    case getQuota(IMAP.GetQuota)
    case getQuotaRoot(IMAP.GetQuotaRoot)
    case setQuota(IMAP.SetQuota)
    case getACL(IMAP.GetACL)
    case setACL(IMAP.SetACL)
    case deleteACL(IMAP.DeleteACL)
    case listRights(IMAP.ListRights)
    case myRights(IMAP.MyRights)
    case getMetadata(IMAP.GetMetadata)
    case setMetadata(IMAP.SetMetadata)
    case generateURLs(IMAP.GenerateURLs)
    case resetKey(IMAP.ResetKey)
    case fetchURLs(IMAP.FetchURLs)
    case getJMAPAccess
    case comparator(IMAP.Comparator)

    // With a mailbox selected
    case check
    case close
    case unselect
    case expunge
    case uidExpunge(IMAP.UIDExpunge)
    case fetch(IMAP.Fetch<SequenceNumber>)
    case uidFetch(IMAP.Fetch<UID>)
    case store(IMAP.Store<SequenceNumber>)
    case uidStore(IMAP.Store<UID>)
    case copy(IMAP.Copy<SequenceNumber>)
    case uidCopy(IMAP.Copy<UID>)
    case move(IMAP.Move<SequenceNumber>)
    case uidMove(IMAP.Move<UID>)
    case replace(IMAP.Replace<SequenceNumber>)
    case uidReplace(IMAP.Replace<UID>)
    case search(IMAP.Search<SequenceNumber>)
    case uidSearch(IMAP.Search<UID>)
    case sort(IMAP.Sort<SequenceNumber>)
    case uidSort(IMAP.Sort<UID>)
    case thread(IMAP.Thread<SequenceNumber>)
    case uidThread(IMAP.Thread<UID>)
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
public struct ParsedCommand: Sendable {
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
