// swift-tools-version: 6.2
import PackageDescription

// One package, one list of settings. Every target is `Martlet` + the name of its folder, since module
// names must be unique in a user's whole package graph.

/// `MARTLET_STRICT=1` (set by `.ci/run`) turns warnings into errors.
let isStrict = Context.environment["MARTLET_STRICT"] == "1"
/// `MARTLET_FUZZ=1` adds the fuzz targets, which need the sanitizer's run-time library.
let isFuzzing = Context.environment["MARTLET_FUZZ"] == "1"
/// How fuzz targets, and all that they call, are built.
let sanitizers = "-sanitize=fuzzer,address"

let strict: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
    ] + (isStrict ? [.treatAllWarnings(as: .error)] : [])
    + (isFuzzing ? [.unsafeFlags([sanitizers, "-parse-as-library"])] : [])

/// A library target in `Sources/<folder>`, module `Martlet<folder>`.
func library(_ folder: String, needs dependencies: [String] = []) -> Target {
    .target(
        name: "Martlet" + folder,
        dependencies: dependencies.map { .init(stringLiteral: module($0)) },
        path: "Sources/" + folder,
        swiftSettings: strict)
}

/// The tests of `Sources/<folder>`, in `Tests/<folder>Tests`.
/// `data`: files and folders of files that the tests read by path.
func tests(
    of folder: String, needs dependencies: [String] = [], data: [String] = []
) -> Target {
    .testTarget(
        name: "Martlet" + folder + "Tests",
        dependencies: ([folder] + dependencies).map { .init(stringLiteral: module($0)) },
        path: "Tests/" + folder + "Tests",
        exclude: data,
        swiftSettings: strict)
}

/// A fuzz target in `Fuzz/<folder>`: `swift run -c release <name> Fuzz/Seeds/<folder>` with `SWIFT_BACKTRACE=enable=no`.
func fuzzer(_ folder: String) -> Target {
    .executableTarget(
        name: "fuzz-" + folder,
        dependencies: ["MartletFuzzDriver", "MartletFuzzOracles"],
        path: "Fuzz/" + folder,
        swiftSettings: [.unsafeFlags([sanitizers])],
        linkerSettings: [.unsafeFlags([sanitizers, "-use-ld=lld"])])
}

/// What is fuzzed, and what runs it: only there is the sanitizer's run-time library.
let fuzzTargets: [Target] =
    [
        .target(
            name: "MartletFuzzDriver", path: "Fuzz/Driver",
            swiftSettings: [.unsafeFlags([sanitizers, "-parse-as-library"])])
    ]
    + [
        "Addresses", "DKIM", "Date", "HeaderText", "IMAPCommand", "IMAPCommandFraming",
        "IMAPEnvelope", "IMAPResponse", "IMAPStructure", "Inflater", "MailboxName", "Mbox",
        "Meaning", "Message", "POP3Command", "POP3Reply", "Parameters",
        "SASLClient", "SASLServer", "SMIME", "SMTPReply", "SMTPServer", "TNEF",
        "TransferEncodings",
    ].map(fuzzer)

func module(_ folder: String) -> String {
    folder.hasPrefix("CMartlet") || folder.hasPrefix("Martlet") || folder == "Frontmail"
        ? folder : "Martlet" + folder
}

let package = Package(
    name: "martlet",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
    products: [
        .library(name: "Martlet", targets: ["Martlet"]),
        .library(name: "MartletMIME", targets: ["MartletMIME"]),
        .library(name: "MartletCharsetDetection", targets: ["MartletCharsetDetection"]),
        .library(name: "MartletSignatures", targets: ["MartletSignatures"]),
        .library(name: "MartletSMTP", targets: ["MartletSMTP"]),
        .library(name: "MartletIMAP", targets: ["MartletIMAP"]),
        .library(name: "MartletPOP3", targets: ["MartletPOP3"]),
        .library(name: "MartletTransport", targets: ["MartletTransport"]),
        .library(name: "MartletSandbox", targets: ["MartletSandbox"]),
        .library(name: "MartletHTTPServer", targets: ["MartletHTTPServer"]),
        .library(name: "Frontmail", targets: ["Frontmail"]),
        .executable(name: "martlet", targets: ["MartletCommand"]),
        .executable(name: "martlet-sandbox", targets: ["MartletSandboxCommand"]),
        .executable(name: "martlet-frontmail", targets: ["MartletFrontmailCommand"]),
    ],
    targets: [
        // L0: bytes and text
        library("Bytes", needs: ["CMartletOctets"]),
        library("Text", needs: ["Bytes", "CMartletIconv", "CMartletUTF8"]),
        library("Crypto", needs: ["Bytes", "CMartletOpenSSL"]),
        // L1: meaning
        library("MIME", needs: ["Text", "Bytes"]),
        library("SASL", needs: ["Crypto", "Bytes"]),
        // L2: doors to the world and to C libraries
        library("Transport", needs: ["Crypto", "Bytes", "CMartletOpenSSL", "CMartletLinux"]),
        library("Files", needs: ["MIME", "Bytes"]),
        library(
            "Signatures",
            needs: ["MIME", "Crypto", "Bytes", "CMartletOctets", "CMartletOpenSSL"]),
        library("Domains", needs: ["CMartletIDN2"]),
        library("Compression", needs: ["CMartletZlib"]),
        library("CharsetDetection", needs: ["Text", "Bytes", "CMartletUchardet"]),
        library("HTTPServer", needs: ["Bytes", "CMartletMicrohttpd"]),
        // L3: protocols
        library("SMTPCore", needs: ["MIME", "SASL", "Bytes"]),
        library("IMAPCore", needs: ["MIME", "SASL", "Text", "Bytes"]),
        library("POP3Core", needs: ["SASL", "Crypto", "Bytes"]),
        library("SMTP", needs: ["SMTPCore", "SASL", "MIME", "Domains", "Transport", "Bytes"]),
        library(
            "IMAP",
            needs: [
                "IMAPCore", "SASL", "MIME", "Domains", "Transport", "Compression", "Bytes",
            ]),
        library("POP3", needs: ["POP3Core", "SASL", "MIME", "Domains", "Transport", "Bytes"]),
        // L5: surfaces
        library(
            "Sandbox",
            needs: [
                "SMTPCore", "IMAPCore", "POP3Core", "SASL", "MIME", "Compression", "Crypto",
                "Files", "Transport", "Bytes",
            ]),
        library("CommandLineParsing"),
        library(
            "CLI",
            needs: [
                "CommandLineParsing", "SMTP", "IMAP", "POP3", "IMAPCore", "POP3Core", "SASL",
                "MIME", "CharsetDetection", "Files", "Domains", "Transport", "Text", "Bytes",
            ]),
        .executableTarget(
            name: "MartletCommand", dependencies: ["MartletCLI"],
            path: "Sources/MartletCommand", swiftSettings: strict),
        .executableTarget(
            name: "MartletSandboxCommand",
            dependencies: [
                "MartletCLI", "MartletCommandLineParsing", "MartletSandbox", "MartletHTTPServer",
                "MartletFiles", "MartletCharsetDetection", "MartletIMAPCore", "MartletMIME",
                "MartletText",
                "MartletBytes",
            ],
            path: "Sources/MartletSandboxCommand", swiftSettings: strict),
        // The SDK stands alone: `make frontmail-package` exports it.
        .target(
            name: "Frontmail", path: "Sources/Frontmail",
            resources: [.copy("PrivacyInfo.xcprivacy")], swiftSettings: strict),
        .executableTarget(
            name: "MartletFrontmailCommand",
            dependencies: [
                "MartletCLI", "MartletCommandLineParsing", "MartletFiles", "MartletMIME",
                "MartletBytes", "Frontmail",
            ],
            path: "Sources/MartletFrontmailCommand", swiftSettings: strict),
        .target(
            name: "Martlet",
            dependencies: [
                "MartletFiles", "MartletIMAP", "MartletMIME", "MartletPOP3", "MartletSMTP",
            ],
            path: "Sources/Martlet", swiftSettings: strict),
        // C: inner loops in processors' own instructions (headers only), and C libraries
        .systemLibrary(name: "CMartletOctets", path: "Sources/CMartletOctets"),
        .systemLibrary(
            name: "CMartletOpenSSL", path: "Sources/CMartletOpenSSL", pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]),
        .systemLibrary(name: "CMartletLinux", path: "Sources/CMartletLinux"),
        .systemLibrary(name: "CMartletIconv", path: "Sources/CMartletIconv"),
        .systemLibrary(name: "CMartletUTF8", path: "Sources/CMartletUTF8"),
        .systemLibrary(
            name: "CMartletIDN2", path: "Sources/CMartletIDN2", pkgConfig: "libidn2",
            providers: [.apt(["libidn2-dev"]), .brew(["libidn2"])]),
        .systemLibrary(
            name: "CMartletUchardet", path: "Sources/CMartletUchardet", pkgConfig: "uchardet",
            providers: [.apt(["libuchardet-dev"]), .brew(["uchardet"])]),
        .systemLibrary(
            name: "CMartletMicrohttpd", path: "Sources/CMartletMicrohttpd",
            pkgConfig: "libmicrohttpd",
            providers: [.apt(["libmicrohttpd-dev"]), .brew(["libmicrohttpd"])]),
        .systemLibrary(
            name: "CMartletZlib", path: "Sources/CMartletZlib", pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
        // Tests
        library("TestSupport", needs: ["Bytes", "Transport"]),
        tests(of: "TestSupport", needs: ["Transport"]),
        tests(of: "Bytes", needs: ["CMartletOctets", "TestSupport"]),
        tests(of: "Text", needs: ["Bytes", "TestSupport"]),
        tests(
            of: "MIME", needs: ["Bytes", "FuzzOracles", "TestSupport", "Text"],
            data: ["Corpus/Differences.md"]),
        tests(of: "Crypto", needs: ["Bytes", "TestSupport"]),
        tests(of: "SASL", needs: ["Bytes", "FuzzOracles", "TestSupport"]),
        tests(
            of: "IMAPCore", needs: ["Bytes", "FuzzOracles", "MIME", "SASL", "TestSupport", "Text"]),
        tests(of: "Transport", needs: ["Bytes", "Crypto", "TestSupport", "CMartletOpenSSL"]),
        tests(of: "Files", needs: ["MIME", "Bytes", "TestSupport"]),
        tests(
            of: "Signatures",
            needs: [
                "Bytes", "Crypto", "MIME", "CMartletOctets", "CMartletOpenSSL", "FuzzOracles",
                "TestSupport",
            ]),
        tests(of: "Domains"),
        tests(
            of: "IMAP", needs: ["Bytes", "Compression", "TestSupport", "Transport"],
            data: ["RealServers/Differences.md"]),
        tests(of: "Compression", needs: ["Bytes", "FuzzOracles", "TestSupport"]),
        tests(of: "CharsetDetection", needs: ["Text", "TestSupport"]),
        tests(
            of: "HTTPServer",
            needs: ["Bytes", "TestSupport", "Transport", "CMartletMicrohttpd"]),
        tests(
            of: "SMTPCore", needs: ["Bytes", "MIME", "SASL", "TestSupport", "FuzzOracles"],
            data: ["Transcripts"]),
        tests(
            of: "SMTP", needs: ["Bytes", "Files", "MIME", "Sandbox", "TestSupport", "Transport"]),
        tests(
            of: "POP3Core",
            needs: ["Bytes", "Crypto", "FuzzOracles", "SASL", "TestSupport"],
            data: ["Transcripts"]),
        tests(of: "POP3", needs: ["Bytes", "MIME", "POP3Core", "TestSupport", "Transport"]),
        tests(
            of: "Sandbox",
            needs: ["Bytes", "IMAPCore", "MIME", "SMTP", "IMAP", "TestSupport", "Transport"]),
        tests(of: "CommandLineParsing", needs: ["TestSupport"], data: ["Goldens"]),
        tests(
            of: "CLI",
            needs: [
                "Command", "CommandLineParsing", "Sandbox", "SMTP", "IMAP", "Transport", "Files",
                "Bytes", "TestSupport",
            ], data: ["Goldens"]),
        tests(
            of: "SandboxCommand",
            needs: [
                "Command", "CLI", "Sandbox", "SMTP", "MIME", "Transport", "Bytes", "TestSupport",
            ]),
        .testTarget(
            name: "FrontmailTests", dependencies: ["Frontmail"], path: "Tests/FrontmailTests",
            swiftSettings: strict),
        // the SDK, its command and its page against a service on a socket
        .testTarget(
            name: "MartletFrontmailServiceTests",
            dependencies: [
                "Frontmail", "MartletHTTPServer", "MartletSandbox", "MartletTestSupport",
                "MartletCommand", "MartletFrontmailCommand",
            ],
            path: "Tests/FrontmailServiceTests", swiftSettings: strict),
        // README, ARCHITECTURE and the reference against the sources
        .testTarget(
            name: "MartletDocumentsTests", path: "Tests/DocumentsTests", swiftSettings: strict),
        .target(
            name: "MartletFuzzOracles",
            dependencies: [
                "MartletBytes", "MartletCompression", "MartletFiles", "MartletIMAPCore",
                "MartletMIME", "MartletPOP3Core", "MartletSASL", "MartletSMTPCore",
                "MartletSignatures", "MartletText",
            ],
            path: "Fuzz/Oracles", swiftSettings: strict),
    ] + (isFuzzing ? fuzzTargets : []),
    swiftLanguageModes: [.v6]
)
