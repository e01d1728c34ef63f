import MartletBytes
import MartletCompression
import MartletIMAPCore
import MartletSASL
import MartletTransport

/// From the greeting to a user.
extension IMAPService {
    /// A login under way.
    struct Login {
        let tag: String
        var mechanism: any SASLServerMechanism
    }

    /// What is offered now.
    var capabilities: [Capability] {
        var offered: [Capability] = [.imap4rev2, .imap4rev1, .id, .enable, .saslIR, .literalPlus]
        if !isEncrypted { offered.append(.startTLS) }
        guard user != nil else {
            return offered + offeredMechanisms.map { Capability("AUTH=" + $0) }
        }
        offered += [
            .idle, .namespace, .uidPlus, .move, .unselect, .unauthenticate, .children,
            .listExtended,
            .listStatus, .specialUse, .createSpecialUse, .condStore, .qResync, .eSearch, .searchRes,
            .within, .sort, .sortDisplay, .eSort, .binary, .partial, .multiAppend, .statusSize,
            .statusDeleted, .saveDate, .preview, .objectID, .quota, .metadata, .utf8Accept,
        ]
        offered += [
            "THREAD=REFERENCES", "THREAD=REFS", "THREAD=ORDEREDSUBJECT", "QUOTA=RES-STORAGE",
            "QUOTA=RES-MESSAGE", "APPENDLIMIT=\(sandbox.configuration.messageLimitInOctets)",
        ].map { Capability($0) }
        if deflater == nil { offered.append(.compressDeflate) }
        return offered
    }

    /// The same, unless a fault lies.
    var toldCapabilities: [Capability] {
        sandbox.told(capabilities.map(\.rawValue), .imap, user, client: channel.peer)
            .map { Capability($0) }
    }

    private var offeredMechanisms: [String] {
        sandbox.mechanisms.filter { isEncrypted || !$0.hasSuffix("-PLUS") }
    }

    func identify(_ tag: String) {
        encoder.append(
            .id(IDParameters([.init(name: "name", value: "Martlet sandbox")])))
        answer(tag, .ok, "Done")
    }

    // MARK: TLS and compression

    func startTLS() async throws(TransportError) {
        try await sandbox.startTLS(with: channel)
        isEncrypted = true
    }

    func startTLS(_ tag: String) async throws(TransportError) {
        guard !isEncrypted else { return answer(tag, .bad, "TLS is on already") }
        answer(tag, .ok, "Begin")
        try await flush()
        // What came before the handshake was not said under its protection.
        dropInput()
        try await startTLS()
    }

    func compress(_ tag: String) async throws(TransportError) {
        guard deflater == nil else {
            return answer(tag, .no, .compressionActive, "Compression is on already")
        }
        answer(tag, .ok, "Begin")
        try await flush()
        do throws(CompressionError) {
            inflater = try Inflater()
            deflater = try Deflater()
        } catch {
            return end()
        }
        try await decompressInput()
    }

    // MARK: Logging in

    func logIn(_ tag: String, _ command: IMAP.Login) async throws(TransportError) {
        let claim = SASLLogin(user: command.user, proof: .password(command.password))
        guard sandbox.accepts(claim) else { return refuseLogin(tag, command.user) }
        try await accept(tag, command.user)
    }

    func authenticate(
        _ tag: String, _ command: IMAP.Authenticate
    ) async throws(TransportError) {
        let users = await sandbox.users("imap", channel, isEncrypted: isEncrypted)
        guard
            let mechanism = SASLServerMechanisms.make(
                command.mechanism, users, offered: offeredMechanisms)
        else { return answer(tag, .no, .cannot, "That mechanism is not offered") }
        guard let encoded = command.initialResponse else {
            login = Login(tag: tag, mechanism: mechanism)
            return try await take(nil)
        }
        // "=" is a response that is there and empty. RFC 9051 §6.2.2.
        let response = encoded.withOctets { octets in
            octets.elementsEqual(CollectionOfOne(ASCII.equals))
                ? Secret(octets: []) : Base64.secret(octets)
        }
        guard let response else { return answer(tag, .bad, .clientBug, "That is not base64") }
        login = Login(tag: tag, mechanism: mechanism)
        try await take(response)
    }

    /// A line of a login. RFC 9051 §6.2.2.
    func continueLogin(_ line: ArraySlice<UInt8>) async throws(TransportError) {
        guard let tag = login?.tag else { return }
        guard line != [UInt8(ascii: "*")] else {
            login = nil
            return answer(tag, .bad, "Cancelled")
        }
        guard let response = Base64.decode(Array(line)) else {
            login = nil
            return answer(tag, .bad, .clientBug, "That is not base64")
        }
        try await take(Secret(octets: response))
    }

    private func take(_ response: Secret?) async throws(TransportError) {
        guard let login else { return }
        let tag = login.tag
        var (next, step) = await SandboxLogin.take(response, login.mechanism)
        self.login?.mechanism = next
        switch step {
        case .success(.challenge(let challenge)): ask(challenge)
        case .success(.verify(let claim)) where sandbox.accepts(claim):
            self.login = nil
            try await accept(tag, claim.user)
        case .success(.verify(let claim)):
            guard let challenge = next.refuse() else { return refuseLogin(tag, claim.user) }
            self.login?.mechanism = next
            ask(challenge)
        case .failure: refuseLogin(tag, "")
        }
    }

    private func ask(_ challenge: [UInt8]) {
        var text: [UInt8] = []
        challenge.withUnsafeBufferPointer { Base64.append($0, to: &text) }
        encoder.append(.continuation(ContinuationRequest(octets: text)))
    }

    private func accept(_ tag: String, _ name: String) async throws(TransportError) {
        let address = sandbox.mail.rules.address(of: name)
        guard try await mayLogIn(tag, address) else { return }
        user = address
        answer(tag, .ok, .capability(toldCapabilities), "Logged in")
    }

    private func refuseLogin(_ tag: String, _ user: String) {
        login = nil
        sandbox.events.yield(.loginRefused(user: user))
        answer(tag, .no, .authenticationFailed, "The user name or password is wrong")
    }

    /// As it was after the greeting. RFC 8437.
    func unauthenticate(_ tag: String) async {
        await stopWatching()
        user = nil
        view = nil
        enabled = []
        parser.isUTF8 = false
        encoder.isUTF8 = false
        answer(tag, .ok, .capability(toldCapabilities), "Done")
    }

    // MARK: ENABLE

    func enable(_ tag: String, _ command: IMAP.Enable) async {
        let known: [Capability] = [.condStore, .qResync, .utf8Accept, .imap4rev2]
        var now: [Capability] = []
        for capability in command.capabilities where known.contains(capability) {
            if enabled.insert(capability).inserted { now.append(capability) }
        }
        if enabled.contains(.qResync) { enabled.insert(.condStore) }
        if enabled.contains(.utf8Accept) || enabled.contains(.imap4rev2) {
            parser.isUTF8 = true
            encoder.isUTF8 = true
        }
        encoder.append(.enabled(now))
        answer(tag, .ok, "Done")
    }
}
