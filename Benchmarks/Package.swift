// swift-tools-version: 6.2
import PackageDescription

// Measures the package as its users see it: through its public products alone.

let package = Package(
    name: "martlet-benchmarks",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "smtp-bench", targets: ["SMTPBench"])],
    dependencies: [.package(name: "martlet", path: "..")],
    targets: [
        .executableTarget(
            name: "SMTPBench",
            dependencies: [.product(name: "MartletSMTP", package: "martlet")],
            swiftSettings: [
                .enableUpcomingFeature("ExistentialAny"),
                .enableUpcomingFeature("MemberImportVisibility"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
