/// A message in a Maildir: in which of its folders it was seen, and under which name.
public struct MaildirMessage: Hashable, Sendable {
    /// The two folders of a Maildir that hold messages. The raw values are their names.
    public enum Place: String, Hashable, Sendable, CaseIterable {
        /// Messages that no mail program has looked at.
        case new
        /// All others.
        case cur
    }

    /// The folder.
    public var place: Place
    /// The file's name.
    public var name: MaildirName

    /// Makes one, for instance of a name that was kept.
    public init(place: Place, name: MaildirName) {
        self.place = place
        self.name = name
    }

    /// The flags in its name.
    public var flags: MaildirFlags { name.flags }
}

/// The messages of a Maildir, one after the other, in the order of the file system: no more than one name
/// is in memory, however many there are.
///
/// While other programs rename files, a file system may show a message twice or leave it out: look for what
/// is missed with `Maildir.current(_:)` before it is taken for gone.
public struct MaildirListing {
    private let maildir: Maildir
    private var places: ArraySlice<MaildirMessage.Place>
    private var listing: FolderListing?

    init(_ maildir: Maildir, places: [MaildirMessage.Place]) {
        self.maildir = maildir
        self.places = places[...]
    }

    /// The next message; `nil` at the end. Folders and names that start with a dot are passed over.
    ///
    /// - Throws: `FileError` when a folder cannot be read.
    public mutating func next() throws(FileError) -> MaildirMessage? {
        while let place = places.first {
            if listing == nil { listing = try maildir.names(in: place) }
            while let entry = try listing?.next() {
                if !entry.isFolder, let name = MaildirName(entry.name) {
                    return MaildirMessage(place: place, name: name)
                }
            }
            listing = nil
            places.removeFirst()
        }
        return nil
    }
}
