import Foundation

extension Frontmail {
    /// What the service tells every app: the shared Turnstile key for phones.
    ///
    /// Asked for once in the life of the process for each address of a service, however many ask at the same time. A
    /// failure is not kept: the next call asks again. A caller who gives up does not disturb the others.
    ///
    /// - Throws: ``FrontmailError``.
    public func publicConfig() async throws -> PublicConfig {
        let patience = PublicConfigCache.Patience(
            base: endpoint.base, retry: retry, timeout: timeout)
        return try await PublicConfigCache.shared.config(for: patience) { [self] in
            let reply = try await perform(
                Request(method: "GET", url: endpoint.publicConfig, fields: [:], body: nil))
            return try PublicConfig(reply: reply)
        }
    }

    /// The same as ``publicConfig()`` where there is no client, with the default retries, timeout and session.
    ///
    /// - Parameter apiURL: the address of the service.
    /// - Throws: ``FrontmailError``.
    public static func fetchPublicConfig(
        apiURL: URL = Frontmail.defaultAPIURL
    ) async throws -> PublicConfig {
        // No key is sent for it.
        try await Frontmail(publicKey: "", apiURL: apiURL).publicConfig()
    }
}
