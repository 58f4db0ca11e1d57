// swift-tools-version: 6.3
import PackageDescription

// This project's CI sets the variable. A client's compiler can emit other warnings, which must not fail its build.
let isStrict = Context.environment["ACTORSTORE_STRICT"] != nil
let memorySafety: [SwiftSetting] = isStrict ? [.strictMemorySafety()] : []

// CI also sets this variable. With it, the compiler treats each test target as a whole module, so it expands each macro
// only once. A clean build then takes less time. Release builds also leave three large targets unoptimized; see below.
let isCleanBuild = Context.environment["ACTORSTORE_CLEAN_BUILD"] != nil
let wholeModule: SwiftSetting = .unsafeFlags([
  "-whole-module-optimization", "-num-threads", "2", "-no-emit-module-separately-wmo",
])
let unoptimized: SwiftSetting = .unsafeFlags(["-Onone"], .when(configuration: .release))

let package = Package(
  name: "ActorStore",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "ActorStore", targets: ["ActorStore"]),
    .library(name: "ActorStoreEvents", targets: ["ActorStoreEvents"]),
    .library(name: "ActorStoreHistory", targets: ["ActorStoreHistory"]),
    .library(name: "ActorStoreOptimistic", targets: ["ActorStoreOptimistic"]),
    .library(name: "ActorStoreEventsTesting", targets: ["ActorStoreEventsTesting"]),
    .library(name: "ActorStoreTesting", targets: ["ActorStoreTesting"]),
    .library(name: "Atoms", targets: ["Atoms"]),
    .library(name: "AtomsTesting", targets: ["AtomsTesting"]),
  ],
  traits: [
    .trait(
      name: "PublicAPIOnly",
      description: "Uses only Swift's public API, and calls no functions of Swift's runtime. Calls are slower.")
  ],
  targets: [
    .target(name: "ActorStore", dependencies: ["CurrentTask"], swiftSettings: memorySafety),
    .target(name: "CurrentTask"),
    .target(name: "ActorStoreEvents", dependencies: ["ActorStore"], swiftSettings: memorySafety),
    .target(name: "ActorStoreHistory", dependencies: ["ActorStore"], swiftSettings: memorySafety),
    .target(name: "ActorStoreOptimistic", dependencies: ["ActorStore"], swiftSettings: memorySafety),
    .target(name: "Atoms", dependencies: ["ActorStore", "AtomThread", "CurrentTask"], swiftSettings: memorySafety),
    .target(name: "AtomThread"),
    .target(name: "AtomsTesting", dependencies: ["ActorStoreTesting", "Atoms"], swiftSettings: memorySafety),
    .target(name: "ActorStoreTesting", dependencies: ["ActorStore", "SeededRandom"], swiftSettings: memorySafety),
    .target(
      name: "ActorStoreEventsTesting", dependencies: ["ActorStore", "ActorStoreEvents", "ActorStoreTesting"],
      swiftSettings: memorySafety),
    .target(name: "SeededRandom", swiftSettings: memorySafety),
    .executableTarget(
      name: "StoreLoadTest",
      dependencies: [
        "ActorStore", "ActorStoreEvents", "ActorStoreHistory", "Atoms", "Cores", "HeapCalls", "SeededRandom",
        // This library links Testing and XCTest, which only tests can find on Apple platforms.
        .target(name: "ActorStoreTesting", condition: .when(platforms: [.linux])),
      ]),
    .target(name: "Cores"),
    .target(name: "HeapCalls"),
    .target(name: "TestSize", dependencies: ["ActorStoreTesting", "SeededRandom"]),
    .testTarget(
      name: "ActorStoreTests",
      dependencies: ["ActorStore", "ActorStoreTesting", "HeapCalls", "SeededRandom", "TestSize"]),
    .testTarget(
      name: "ActorStoreTestingTests",
      dependencies: ["ActorStore", "ActorStoreTesting", "Atoms", "SeededRandom", "TestSize"]),
    .testTarget(
      name: "ActorStoreEventsTests",
      dependencies: ["ActorStore", "ActorStoreEvents", "ActorStoreTesting", "SeededRandom", "TestSize"]),
    .testTarget(
      name: "ActorStoreHistoryTests",
      dependencies: [
        "ActorStore", "ActorStoreEvents", "ActorStoreHistory", "ActorStoreTesting", "SeededRandom", "TestSize",
      ]),
    .testTarget(
      name: "ActorStoreOptimisticTests",
      dependencies: ["ActorStore", "ActorStoreOptimistic", "ActorStoreTesting", "SeededRandom"]),
    .testTarget(
      name: "ActorStoreEventsTestingTests",
      dependencies: ["ActorStore", "ActorStoreEvents", "ActorStoreEventsTesting", "ActorStoreTesting"]),
    .testTarget(
      name: "AtomsTests", dependencies: ["ActorStore", "ActorStoreTesting", "Atoms", "SeededRandom", "TestSize"]),
    .testTarget(name: "AtomsTestingTests", dependencies: ["ActorStoreTesting", "Atoms", "AtomsTesting"]),
    .testTarget(
      name: "ProjectTests",
      dependencies: [
        "ActorStore", "ActorStoreEvents", "ActorStoreEventsTesting", "ActorStoreHistory", "ActorStoreOptimistic",
        "ActorStoreTesting", "Atoms", "AtomsTesting",
      ]),
    .testTarget(name: "StoreLoadTestTests", dependencies: ["StoreLoadTest", "SeededRandom"]),
    .testTarget(
      name: "InterleavingTests", dependencies: ["ActorStore", "ActorStoreTesting", "Atoms", "TestSize"]),
    .testTarget(
      name: "StressTests", dependencies: ["ActorStore", "ActorStoreTesting", "Atoms", "SeededRandom", "TestSize"]),
    .testTarget(
      name: "MainActorClientTests", dependencies: ["ActorStore"],
      swiftSettings: [.defaultIsolation(MainActor.self)]),
  ],
  swiftLanguageModes: [.v6]
)

// CI omits targets whose tests the settings of a build cannot affect.
for name in (Context.environment["ACTORSTORE_OMIT"] ?? "").split(separator: " ") {
  let count = package.targets.count
  package.targets.removeAll { $0.name == name }
  precondition(package.targets.count < count, "ACTORSTORE_OMIT contains an unknown target: \(name)")
}

for target in package.targets where isCleanBuild && target.type == .test {
  // The other targets remain optimized. Some run searches or models that take several times longer without
  // optimization. Others call the library as a client does.
  let isOptimized = !["ActorStoreTests", "ActorStoreTestingTests", "AtomsTests"].contains(target.name)
  target.swiftSettings = (target.swiftSettings ?? []) + [wholeModule] + (isOptimized ? [] : [unoptimized])
}

for target in package.targets {
  target.swiftSettings =
    (target.swiftSettings ?? []) + (isStrict ? [.treatAllWarnings(as: .error)] : []) + [
      .enableUpcomingFeature("ExistentialAny"),
      .enableUpcomingFeature("InternalImportsByDefault"),
      .enableUpcomingFeature("MemberImportVisibility"),
      .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ]
}
