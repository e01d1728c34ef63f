import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A request: the same octets and fields in each attempt.
struct Request: Sendable {
    let method: String
    /// `nil` if the address of the service is none.
    let url: URL?
    let fields: [String: String]
    let body: Data?

    /// - Throws: ``FrontmailError`` if there is no address to send it to.
    func urlRequest(timeout: TimeInterval) throws -> URLRequest {
        guard let url, let scheme = url.scheme?.lowercased(), ["https", "http"].contains(scheme)
        else {
            throw FrontmailError(
                .networkError, "The address of the service has to begin with https:// (or http://)."
            )
        }
        // The attempt has a limit of its own; the session's would count from the last octet, and end it earlier.
        var request = URLRequest(
            url: url, cachePolicy: .reloadIgnoringLocalCacheData,
            timeoutInterval: min(timeout, 86_400) + 60)
        request.httpMethod = method
        request.httpBody = body
        request.httpShouldHandleCookies = false
        for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue(
            "frontmail-swift/" + Frontmail.version, forHTTPHeaderField: "X-Frontmail-Client")
        return request
    }
}
