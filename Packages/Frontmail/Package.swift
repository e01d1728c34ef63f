// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "Frontmail",
    platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8), .visionOS(.v1)],
    products: [.library(name: "Frontmail", targets: ["Frontmail"])],
    targets: [
        .target(name: "Frontmail", resources: [.copy("PrivacyInfo.xcprivacy")]),
        // Needs Swift 6: that is where Swift Testing comes from.
        .testTarget(name: "FrontmailTests", dependencies: ["Frontmail"]),
    ])
