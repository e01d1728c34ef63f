import MartletIMAPCore

extension IMAPConnection {
    /// Takes the measures that are known for a server like this one.
    func learnProfile(_ identity: IDParameters?) {
        profile = ServerProfile.recognized(
            host: server.host, greeting: greeting?.text.words ?? "",
            capabilities: session.capabilities,
            identity: identity)
        guard let profile else { return }
        log?.note("known as \(profile.name)")
        session.distrusted.formUnion(profile.distrusted)
        if profile.measures.contains(.synchronizingLiterals) {
            session.literalSupport = .synchronizing
        }
    }
}
