// swift-tools-version: 6.3
import PackageDescription

let package = Package(
  name: "Examples",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  dependencies: [.package(name: "ActorStore", path: "..")],
  targets: [
    .target(name: "TodoList", dependencies: ["Terminal", .product(name: "Atoms", package: "ActorStore")]),
    .target(name: "DogSearch", dependencies: [.product(name: "Atoms", package: "ActorStore")]),
    .target(
      name: "EventTodo",
      dependencies: [
        "Terminal", .product(name: "ActorStore", package: "ActorStore"),
        .product(name: "ActorStoreEvents", package: "ActorStore"),
        .product(name: "ActorStoreHistory", package: "ActorStore"),
      ]),
    .target(name: "Terminal"),
    .executableTarget(name: "todo", dependencies: ["Terminal", "TodoList"]),
    .executableTarget(name: "todo-events", dependencies: ["EventTodo", "Terminal"]),
    .executableTarget(name: "dogs", dependencies: ["DogSearch", "Terminal"]),
    .testTarget(
      name: "ExamplesTests",
      dependencies: [
        "DogSearch", "EventTodo", "TodoList", .product(name: "ActorStoreEvents", package: "ActorStore"),
        .product(name: "ActorStoreHistory", package: "ActorStore"),
        .product(name: "ActorStoreTesting", package: "ActorStore"),
        .product(name: "AtomsTesting", package: "ActorStore"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
