// swift-tools-version: 6.2
import PackageDescription

// Measures the package as its users see it: through its public products alone.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "martlet-benchmarks",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "smtp-bench", targets: ["SMTPBench"]),
        .executable(name: "imap-bench", targets: ["IMAPBench"]),
        .executable(name: "pop3-bench", targets: ["POP3Bench"]),
        .executable(name: "mime-bench", targets: ["MIMEBench"]),
        .executable(name: "frontmail-bench", targets: ["FrontmailBench"]),
    ],
    dependencies: [.package(name: "martlet", path: "..")],
    targets: [
        .executableTarget(
            name: "SMTPBench",
            dependencies: [.product(name: "MartletSMTP", package: "martlet")],
            swiftSettings: settings),
        .executableTarget(
            name: "IMAPBench",
            dependencies: ["BenchReport", .product(name: "MartletIMAP", package: "martlet")],
            swiftSettings: settings),
        .executableTarget(
            name: "POP3Bench",
            dependencies: ["BenchReport", .product(name: "Martlet", package: "martlet")],
            swiftSettings: settings),
        .target(name: "BenchReport", swiftSettings: settings),
        .executableTarget(
            name: "MIMEBench",
            dependencies: [.product(name: "MartletMIME", package: "martlet")],
            swiftSettings: settings),
        .executableTarget(
            name: "FrontmailBench",
            dependencies: [
                .product(name: "Frontmail", package: "martlet"),
                .product(name: "MartletHTTPServer", package: "martlet"),
            ],
            swiftSettings: settings),
    ],
    swiftLanguageModes: [.v6]
)
