/// What a URL of URLAUTH stands for. RFC 4467 §9, RFC 5524 §3.
public struct FetchedURL: Hashable, Sendable {
    /// The URL.
    public var url: String
    /// What it stands for; `nil` if it stands for nothing any more.
    public var data: MessageData
    /// What else the server says of it, as it came. RFC 5524 §3.
    public var metadata: [UInt8]

    /// Makes one.
    public init(url: String, data: MessageData, metadata: [UInt8] = []) {
        self.url = url
        self.data = data
        self.metadata = metadata
    }
}

/// How a server compares text. RFC 5255 §4.8.
public struct ComparatorResponse: Hashable, Sendable {
    /// The comparator in use.
    public var active: String
    /// Those that fit what was asked for.
    public var matching: [String]

    /// Makes one.
    public init(active: String, matching: [String] = []) {
        self.active = active
        self.matching = matching
    }
}
