// swift-tools-version: 6.3
import PackageDescription

// Depends on this project as a user's package does. `.ci/modes` builds it in users' build modes.
let package = Package(
  name: "Client",
  platforms: [.macOS(.v15)],
  traits: ["PublicAPIOnly"],
  dependencies: [
    .package(
      name: "ActorStore", path: "../..",
      traits: [.trait(name: "PublicAPIOnly", condition: .when(traits: ["PublicAPIOnly"]))])
  ],
  targets: [
    .executableTarget(
      name: "Client",
      dependencies: [
        .product(name: "ActorStore", package: "ActorStore"),
        .product(name: "ActorStoreEvents", package: "ActorStore"),
        .product(name: "ActorStoreEventsTesting", package: "ActorStore"),
        .product(name: "ActorStoreHistory", package: "ActorStore"),
        .product(name: "ActorStoreOptimistic", package: "ActorStore"),
        .product(name: "ActorStoreTesting", package: "ActorStore"),
        .product(name: "Atoms", package: "ActorStore"),
        .product(name: "AtomsTesting", package: "ActorStore"),
      ])
  ],
  swiftLanguageModes: Context.environment["CLIENT_LANGUAGE_MODE"] == "5" ? [.v5] : [.v6]
)
