import Foundation
import Testing

/// Frontmail promises Swift 5.9 and iOS 15. No compiler that old is at hand, so its sources are read for what came later.
@Suite("Sources of Frontmail")
struct FrontmailSourcesTests {
    /// What Swift 5.9 or systems of iOS 15's time do not have.
    private static let later: [String] = [
        // Swift 5.10 and later
        #"nonisolated\(unsafe\)"#, #"\bthrows\("#, #":\s*sending\s"#, #"@retroactive\b"#,
        #"~Escapable"#,
        #"\b(public|package|internal|private|fileprivate) import\b"#, #"\bisolated deinit\b"#,
        #"\bInlineArray\b"#, #"\bSpan<"#, #"@concurrent\b"#, #"nonisolated\(nonsending\)"#,
        #",\s*\n?\s*\)\s*(async|throws|->|\{)"#,
        // Synchronization, clocks and other library parts of iOS 16 and later
        #"import Synchronization"#, #"\bMutex<"#, #"\bAtomic<"#, #"\bContinuousClock\b"#,
        #"\bSuspendingClock\b"#,
        #"\bDuration\b"#, #"Task\.sleep\((for|until):"#, #"\bRegex\b"#, #"\.wholeMatch\b"#,
        #"\.firstMatch\b"#,
        #"\bOSAllocatedUnfairLock\b"#, #"DiscardingTaskGroup"#, #"import Observation"#,
        #"\bURL\(filePath:"#,
        #"\.appending\((path|component|queryItems)"#, #"\bLocale\.Language\b"#,
        #"\.split\(separator: "[^"]{2,}""#,
        #"\.replacing\("#, #"\.ranges\(of:"#, #"\bcontains\(\s*"[^"]{2,}"\s*\)"#, #"\.host\("#,
        #"\.path\("#,
        #"\.localizedStandardContains"#, #"any \w+<"#, #"\bbytes\(for:"#,
        // what belongs to the app
        #"import (WebKit|UIKit|SwiftUI|AppKit|Combine|CryptoKit|os|Network)\b"#,
    ]

    private static let sources = Repository.paths.filter {
        $0.hasPrefix("Sources/Frontmail/") && $0.hasSuffix(".swift")
    }

    @Test("use nothing newer than Swift 5.9 and iOS 15", arguments: later)
    func deniedNames(pattern: String) throws { try expectNone(pattern) }

    private func expectNone(_ pattern: String) throws {
        let denied = try NSRegularExpression(pattern: pattern)
        #expect(FrontmailSourcesTests.sources.count > 15)
        for path in FrontmailSourcesTests.sources {
            let text = try Repository.text(path)
            let all = NSRange(text.startIndex..., in: text)
            for match in denied.matches(in: text, range: all) {
                let found = Range(match.range, in: text).map { text[$0] } ?? ""
                Issue.record("\(path) has \(found)")
            }
        }
    }

    /// What an app that uses it has to give a reason for in its privacy manifest, by the names of Swift and of C.
    private static let needsReason: [String] = [
        // times of files
        #"\b(creation|modification|contentModification|attributeModification|contentAccess)Date(Key)?\b"#,
        #"\b(FileAttributeKey|URLResourceKey|URLResourceValues|attributesOfItem|resourceValues)\b"#,
        #"\b[fl]?stat(at|x|64)?\("#, #"\bgetattrlist(at|bulk)?\b"#,
        // time since the system started
        #"\bsystemUptime\b"#, #"\bmach_(absolute|continuous|approximate)_time\b"#,
        #"\bclock_gettime(_nsec_np)?\b"#, #"\bKERN_BOOTTIME\b"#,
        // room on disks
        #"\bvolume(Available|Total)Capacity"#, #"\bsystem(Free|)Size\b"#,
        #"\battributesOfFileSystem\b"#, #"\bf?statv?fs\b"#,
        // keyboards, and settings of the app
        #"\bactiveInputModes\b"#, #"\bUserDefaults\b"#, #"\bCFPreferences"#,
        #"\bAppStorage\b"#,
    ]

    @Test("use nothing that the privacy manifest would need a reason for", arguments: needsReason)
    func reasonless(pattern: String) throws { try expectNone(pattern) }

    @Test("name every module that they import: Foundation and Dispatch alone")
    func imports() throws {
        for path in FrontmailSourcesTests.sources {
            let imports = try Repository.text(path)
                .matches(of: #/^\s*(?:@\w+ )*import (\w+)/#.anchorsMatchLineEndings()).map(\.1)
            #expect(
                Set(imports).isSubset(of: ["Dispatch", "Foundation", "FoundationNetworking"]),
                "\(path)")
        }
    }

    @Test("depend on nothing in the package, and nothing that the package depends on")
    func dependencies() throws {
        let manifest = try Repository.text("Package.swift")
        let target = try #require(
            manifest.firstMatch(of: #/\.target\(\s*name: "Frontmail",([^\]]*)\],?\s*swiftSettings/#)
        )
        #expect(!target.1.contains("dependencies"))
    }

    @Test("have the version of the package")
    func version() throws {
        let versions = try ["Sources/Frontmail/Frontmail.swift", "Sources/CLI/Program.swift"].map {
            try Repository.text($0).firstMatch(of: #/static let version = "([\d.]+)"/#)?.1
        }
        #expect(versions[0] != nil && versions[0] == versions[1])
    }

    @Test("say in the privacy manifest that nothing is tracked or collected")
    func privacy() throws {
        let data = Data(try Repository.text("Sources/Frontmail/PrivacyInfo.xcprivacy").utf8)
        let plist = try #require(
            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        #expect(plist["NSPrivacyTracking"] as? Bool == false)
        for list in [
            "NSPrivacyTrackingDomains", "NSPrivacyCollectedDataTypes", "NSPrivacyAccessedAPITypes",
        ] {
            #expect((plist[list] as? [Any])?.isEmpty == true, "\(list)")
        }
    }
}
