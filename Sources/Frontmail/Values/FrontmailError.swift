import Foundation

/// What went wrong, as the service says it or as the SDK saw it.
///
/// Read ``code`` for one kind of error, or ask for a category: ``isAuth``, ``isValidation``, ``isRateLimit``,
/// ``isInsufficientCredits``, ``isNetwork``, ``isCancelled``. Many errors are in none of them.
public struct FrontmailError: Error, Hashable, Sendable {
    /// The kind of error. Codes that this version does not know are kept as they came.
    public let code: Code
    /// A sentence about it, for developers.
    public let message: String
    /// The HTTP status of the answer; `nil` if the error arose here.
    public let status: Int?
    /// A page about the code.
    public let docsURL: URL
    /// What else the service told, such as the parameters that it refused.
    public let details: FrontmailValue?
    /// The seconds that the service asks to wait before the next request.
    public let retryAfter: TimeInterval?

    /// Makes an error, for tests and previews of your own.
    ///
    /// - Parameter docsURL: the page about `code` if it is `nil`.
    public init(
        code: Code, message: String, status: Int? = nil, docsURL: URL? = nil,
        details: FrontmailValue? = nil, retryAfter: TimeInterval? = nil
    ) {
        self.code = code
        self.message = message
        self.status = status
        self.docsURL = docsURL ?? code.docsURL
        self.details = details
        self.retryAfter = retryAfter
    }

    /// An error that arises here.
    init(_ code: Code, _ message: String, details: FrontmailValue? = nil) {
        self.init(code: code, message: message, details: details)
    }
}

extension FrontmailError {
    private static let authCodes: Set<Code> = [
        .forbidden, .originNotAllowed, .privateKeyRequired, .privateKeyInBrowser,
    ]
    /// Codes of refusals that the SDK makes itself.
    private static let ownRefusals: Set<Code> = [.invalidBody, .invalidIdempotencyKey, .badRequest]

    /// The key is wrong, or is not allowed to do this: look at the key, and at the account's security settings.
    public var isAuth: Bool {
        switch status {
        case 401: true
        case 403: FrontmailError.authCodes.contains(code)
        case nil: code == .privateKeyInBrowser || code == .invalidPublicKey
        default: false
        }
    }

    /// The request is wrong: look at the parameters, ``details`` often names them.
    public var isValidation: Bool {
        status == 400 || status == 422
            || status == nil && FrontmailError.ownRefusals.contains(code)
    }

    /// Too many requests: wait for ``retryAfter`` seconds.
    public var isRateLimit: Bool { status == 429 }

    /// The account has no credits, and does not want mail to wait for them.
    public var isInsufficientCredits: Bool { status == 402 }

    /// The service could not be reached, or did not answer in time: try again later.
    public var isNetwork: Bool { status == nil && (code == .networkError || code == .timeout) }

    /// The task was cancelled.
    public var isCancelled: Bool { status == nil && code == .aborted }
}

extension FrontmailError: CustomStringConvertible, LocalizedError {
    /// The message with the code and the status.
    public var description: String {
        "\(message) (\(code.rawValue)\(status.map { ", HTTP \($0)" } ?? ""))"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }

    /// Where to read on.
    public var recoverySuggestion: String? { "See \(docsURL.absoluteString)." }
}
