import MartletBytes
import MartletFiles
import MartletTestSupport
import Testing

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// All messages, sorted by name.
private func all(
    _ maildir: Maildir, in places: [MaildirMessage.Place] = [.new, .cur]
) throws -> [MaildirMessage] {
    var listing = maildir.messages(in: places)
    var messages: [MaildirMessage] = []
    while let message = try listing.next() { messages.append(message) }
    return messages.sorted { $0.name.text < $1.name.text }
}

private func text(_ octets: Octets) -> String {
    String(decoding: octets[0..<octets.count], as: UTF8.self)
}

private func source(_ text: String) -> OctetArray { OctetArray(Array(text.utf8)) }

@Suite("Maildir")
struct MaildirTests {
    private let scratch: Scratch
    private let maildir: Maildir

    init() throws {
        scratch = try Scratch()
        maildir = try Maildir.create(path: scratch.file("Mail"))
    }

    private func message(_ place: MaildirMessage.Place, _ name: String) throws -> MaildirMessage {
        MaildirMessage(place: place, name: try #require(MaildirName(name)))
    }

    @Test("is made with its three folders, and made again without harm")
    func create() throws {
        #expect(scratch.names(in: "Mail") == ["cur", "new", "tmp"])
        rmdir(scratch.file("Mail/tmp"))
        try scratch.write([1], "Mail/new/a")
        #expect(try all(Maildir.create(path: scratch.file("Mail"))).count == 1)
        #expect(scratch.names(in: "Mail") == ["cur", "new", "tmp"])
        var status = stat()
        #expect(stat(scratch.file("Mail/new"), &status) == 0 && status.st_mode & 0o777 == 0o700)
    }

    @Test("lists what is there and passes over what is no message")
    func listing() throws {
        for name in ["new/a", "new/.hidden", "cur/b:2,S", "cur/c", "tmp/d"] {
            try scratch.write([1, 2], "Mail/" + name)
        }
        mkdir(scratch.file("Mail/cur/folder"), 0o700)
        #expect(
            try all(maildir) == [message(.new, "a"), message(.cur, "b:2,S"), message(.cur, "c")])
        #expect(try all(maildir, in: [.cur]).map(\.flags) == [.seen, []])
        #expect(try all(maildir, in: []).isEmpty)
    }

    @Test("delivers to new, or with flags to cur, and leaves nothing in tmp")
    func deliver() async throws {
        let first = try await maildir.deliver(source("one\n"))
        #expect(first.place == .new && first.flags == [] && first.name.sizeInOctets == 4)
        #expect(!first.name.text.contains(":"))
        let second = try await maildir.deliver(source("two\r\n"), flags: [.seen, .flagged])
        #expect(second.place == .cur && second.name.text.hasSuffix(",S=5:2,FS"))
        let third = try await maildir.deliver(source(""), flags: [], forcingToDisk: false)
        #expect(third.place == .cur && third.name.text.hasSuffix(",S=0:2,"))
        #expect(scratch.names(in: "Mail/tmp").isEmpty)
        #expect(try text(maildir.octets(of: first)) == "one\n")
        #expect(try text(maildir.octets(of: second)) == "two\r\n")
        #expect(try maildir.octets(of: third).isEmpty)
        #expect(try all(maildir).count == 3)
        var status = stat()
        let path = scratch.file("Mail/new/" + first.name.text)
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
    }

    @Test("delivers large files in pieces")
    func large() async throws {
        let noise = FileSourceTests.noise(2_000_000)
        let file = try FileSource(path: scratch.write(noise, "noise"))
        let message = try await maildir.deliver(file)
        #expect(try maildir.octets(of: message)[0..<3_000_000] == noise)
        #expect(try await maildir.source(of: message).allOctets() == noise)
        let error = #expect(throws: FileError.self) {
            try maildir.octets(of: message, limitInOctets: 1_999_999)
        }
        #expect(error?.kind == .tooLarge(limitInOctets: 1_999_999))
    }

    @Test("takes a thousand deliveries at once, each under a name of its own")
    func names() async throws {
        let maildir = maildir
        try await withThrowingTaskGroup(of: MaildirMessage.self) { group in
            for number in 0..<1_000 {
                group.addTask {
                    try await maildir.deliver(source("\(number)"), forcingToDisk: false)
                }
            }
            for try await message in group { #expect(message.place == .new) }
        }
        var texts: Set<String> = []
        for message in try all(maildir) { texts.insert(try text(maildir.octets(of: message))) }
        #expect(texts.count == 1_000)
        #expect(scratch.names(in: "Mail/tmp").isEmpty)
    }

    private struct Broken: OctetSource, Error {
        var sizeInOctets: Int { 10 }
        func makeReader() -> any OctetReader { Reader() }
        struct Reader: OctetReader {
            var isFirst = true
            mutating func read(atMost limit: Int) throws -> [UInt8] {
                guard isFirst else { throw Broken() }
                isFirst = false
                return [1, 2, 3]
            }
        }
    }

    @Test("leaves nothing of a delivery that fails")
    func broken() async throws {
        await #expect(throws: Broken.self) { try await maildir.deliver(Broken()) }
        for folder in ["tmp", "new", "cur"] {
            #expect(scratch.names(in: "Mail/" + folder).isEmpty)
        }
        rmdir(scratch.file("Mail/new"))
        let error = await #expect(throws: FileError.self) {
            try await maildir.deliver(source("x"))
        }
        #expect(error?.kind == .notFound && error?.operation == .rename)
        #expect(scratch.names(in: "Mail/tmp").isEmpty)
    }

    @Test("changes flags, and moves a message out of new with them")
    func flags() throws {
        try scratch.write([1], "Mail/new/a,S=1")
        let new = try message(.new, "a,S=1")
        let seen = try maildir.change(new, adding: .seen)
        #expect(seen == (try message(.cur, "a,S=1:2,S")))
        let both = try maildir.change(seen, adding: [.flagged, .replied], removing: .replied)
        #expect(both.name.text == "a,S=1:2,FS")
        #expect(try maildir.change(both, adding: .seen) == both)
        #expect(try maildir.set(.trashed, of: both).name.text == "a,S=1:2,T")
        #expect(scratch.names(in: "Mail/cur") == ["a,S=1:2,T"])
        #expect(scratch.names(in: "Mail/new").isEmpty)
    }

    @Test(
        "keeps what else stands in a name when flags change",
        arguments: [
            ("a;2,FP", "a;2,FPS"), ("a!2,", "a!2,S"), ("a:2,RDF,", "a:2,DFRS,"), ("a", "a:2,S"),
            ("a:2,bcT", "a:2,STbc"), ("a:1,x", "a:2,S"), ("a;b", "a;b:2,S"),
        ])
    func otherNames(before: String, after: String) throws {
        try scratch.write([1], "Mail/cur/" + before)
        #expect(try maildir.change(message(.cur, before), adding: .seen).name.text == after)
        #expect(scratch.names(in: "Mail/cur") == [after])
    }

    @Test("moves a message from new to cur")
    func moveToCur() throws {
        try scratch.write([1], "Mail/new/a")
        let moved = try maildir.moveToCur(message(.new, "a"))
        #expect(moved == (try message(.cur, "a:2,")))
        #expect(try maildir.moveToCur(moved) == moved)
    }

    @Test("finds a message that another program has moved or flagged")
    func renamed() async throws {
        try scratch.write([7], "Mail/cur/a:2,FS")
        let old = try message(.new, "a")
        #expect(try maildir.current(old) == message(.cur, "a:2,FS"))
        #expect(try maildir.octets(of: old)[0..<1] == [7])
        #expect(try maildir.source(of: old).sizeInOctets == 1)
        // the other program's change stays
        #expect(try maildir.change(old, adding: .replied).name.text == "a:2,FRS")
        try maildir.remove(old)
        #expect(try all(maildir).isEmpty)
        #expect(try maildir.current(old) == nil)
        for attempt in [
            { _ = try maildir.octets(of: old) }, { _ = try maildir.change(old, adding: .seen) },
            { try maildir.remove(old) }, { _ = try maildir.moveToCur(old) },
        ] {
            let error = #expect(throws: FileError.self) { try attempt() }
            #expect(error?.kind == .notFound)
        }
    }

    @Test("never puts a message in place of another")
    func twice() throws {
        try scratch.write([1], "Mail/new/a")
        try scratch.write([2], "Mail/cur/a:2,S")
        #expect(throws: FileError.self) { try maildir.change(message(.new, "a"), adding: .seen) }
        #expect(try maildir.octets(of: message(.new, "a"))[0..<1] == [1])
        #expect(try maildir.octets(of: message(.cur, "a:2,S"))[0..<1] == [2])
    }

    @Test("follows symbolic links only when told, and reads only regular files")
    func links() throws {
        try scratch.write([7], "outside")
        symlink(scratch.file("outside"), scratch.file("Mail/new/link"))
        mkfifo(scratch.file("Mail/new/fifo"), 0o600)
        #expect(throws: FileError.self) { try maildir.octets(of: message(.new, "link")) }
        let following = try Maildir(path: scratch.file("Mail"), followingLinks: true)
        #expect(try following.octets(of: message(.new, "link"))[0..<1] == [7])
        let error = #expect(throws: FileError.self) {
            try maildir.octets(of: message(.new, "fifo"))
        }
        #expect(error?.kind == .notARegularFile(.pipe))
    }

    @Test("has subfolders beside each other")
    func subfolders() async throws {
        let name = try #require(MaildirFolderName(components: ["Lists", "Swift"]))
        let folder = try maildir.createSubfolder(name)
        let message = try await folder.deliver(source("x"))
        #expect(scratch.names(in: "Mail/.Lists.Swift") == ["cur", "maildirfolder", "new", "tmp"])
        mkdir(scratch.file("Mail/.none"), 0o700)
        mkdir(scratch.file("Mail/plain"), 0o700)
        #expect(try maildir.subfolders() == [name])
        #expect(try all(maildir.subfolder(name)) == [message])
        #expect(try all(maildir).isEmpty)
        #expect(try all(maildir.createSubfolder(name)) == [message])
        let other = try #require(MaildirFolderName(components: ["Nobody"]))
        let error = #expect(throws: FileError.self) { try maildir.subfolder(other) }
        #expect(error?.kind == .notFound)
    }

    @Test("stays the same folder when it is renamed")
    func renamedFolder() async throws {
        #expect(rename(scratch.file("Mail"), scratch.file("Old")) == 0)
        let message = try await maildir.deliver(source("x"))
        #expect(scratch.names(in: "Old/new") == [message.name.text])
    }

    @Test("removes old files from tmp and no others")
    func leftovers() throws {
        try scratch.write([1], "Mail/tmp/fresh")
        try scratch.write([1], "Mail/tmp/old")
        try scratch.write([1], "Mail/new/old")
        let past = timeval(tv_sec: time(nil) - 37 * 3_600, tv_usec: 0)
        for name in ["tmp/old", "new/old"] {
            #expect(utimes(scratch.file("Mail/" + name), [past, past]) == 0)
        }
        #expect(try maildir.removeLeftovers() == 1)
        #expect(scratch.names(in: "Mail/tmp") == ["fresh"])
        #expect(scratch.names(in: "Mail/new") == ["old"])
    }

    @Test("can be read where one of its folders is missing, and says which when it is needed")
    func incomplete() async throws {
        try scratch.write([7], "Mail/cur/a")
        rmdir(scratch.file("Mail/tmp"))
        rmdir(scratch.file("Mail/new"))
        let maildir = try Maildir(path: scratch.file("Mail"))
        #expect(try all(maildir) == [message(.cur, "a")])
        #expect(try maildir.octets(of: message(.new, "a")).count == 1)
        let error = await #expect(throws: FileError.self) {
            try await maildir.deliver(source("x"))
        }
        #expect(error?.kind == .notFound && error?.path == scratch.file("Mail/tmp"))
        mkdir(scratch.file("Mail/tmp"), 0o700)
        let other = await #expect(throws: FileError.self) {
            try await Maildir(path: scratch.file("Mail")).deliver(source("x"))
        }
        #expect(other?.path == scratch.file("Mail/new"))
        #expect(scratch.names(in: "Mail/tmp").isEmpty)
    }

    @Test("is no other folder and no file")
    func refused() throws {
        func kind(_ path: String) -> FileError.Kind? {
            do throws(FileError) {
                _ = try Maildir(path: path)
                return nil
            } catch { return error.kind }
        }
        try scratch.write([1], "file")
        #expect(kind(scratch.path) == .unexpectedContent(expected: "a Maildir"))
        #expect(kind(scratch.file("file")) == .notFound)
        #expect(kind(scratch.file("none")) == .notFound)
        #expect(kind("") == .unusablePath)
        #expect(throws: FileError.self) { try Maildir.create(path: scratch.file("none/Mail")) }
        #expect(throws: FileError.self) { try Maildir.create(path: scratch.file("file")) }
    }

    @Test("of many messages is listed in time in proportion to their number")
    func many() throws {
        for number in 0..<5_000 {
            let file = open(
                scratch.file("Mail/cur/\(number).host:2,S"), O_WRONLY | O_CREAT, 0o600)
            #expect(file >= 0)
            close(file)
        }
        var count = 0
        let took = try ContinuousClock().measure {
            var listing = maildir.messages()
            while let message = try listing.next() {
                if message.flags == .seen { count += 1 }
            }
        }
        #expect(count == 5_000)
        #expect(took < .seconds(20))
    }
}

/// Against the Maildir of mail-parser's tests.
@Suite(
    "Maildir corpus",
    .corpus("mail-parser/maildir"))
struct MaildirCorpusTests {
    @Test("has folders, flags and sizes, though its folders lack tmp")
    func mailParser() throws {
        let maildir = try Maildir(path: Corpus.path("mail-parser/maildir"))
        #expect(try all(maildir).map(\.flags.text).sorted() == ["STln", "Sb"])
        let folders = try maildir.subfolders().sorted { $0.text < $1.text }
        #expect(folders.map(\.components) == [["My Folder"], ["My Folder", "Nested Folder"]])
        let flags = try folders.map { try all(maildir.subfolder($0)).map(\.flags.text).sorted() }
        #expect(flags == [["", "DRT"], ["DFR", "FP"]])
        for message in try all(maildir) {
            #expect(
                try maildir.octets(of: message).count == maildir.source(of: message).sizeInOctets)
        }
    }
}
