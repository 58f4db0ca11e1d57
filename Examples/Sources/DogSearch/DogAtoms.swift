import Atoms

/// A breed of dogs.
package struct Dog: Equatable, Sendable {
  package let name: String

  package init(name: String) { self.name = name }
}

/// A server that searches for dogs.
package struct DogServer: Sendable {
  /// Finds the dogs whose names contain a text.
  package var search: @Sendable (_ text: String) async throws -> [Dog]

  package init(search: @escaping @Sendable (_ text: String) async throws -> [Dog]) { self.search = search }

  /// A server in this process, which takes half a second.
  package static func local(_ clock: any Clock<Duration> = ContinuousClock()) -> DogServer {
    DogServer { text in
      try await clock.sleep(for: .milliseconds(500))
      if text == "error" { throw Unavailable() }
      return names.filter { $0.lowercased().contains(text.lowercased()) }.map { Dog(name: $0) }
    }
  }

  private static let names = ["Beagle", "Border Collie", "Boxer", "Bulldog", "Collie", "Poodle", "Pug", "Spaniel"]

  /// An error that the server reports.
  package struct Unavailable: Error, CustomStringConvertible {
    package var description: String { "The server is not available." }
  }
}

/// The text that the user has entered.
package let searchTextAtom = Atom("")

/// The server, which a test can replace.
package let dogServerAtom = Atom(DogServer.local(), keepAlive: true)

/// The dogs that match the text.
///
/// The first search begins immediately. After a change of the text, a search begins when the text has not changed for
/// 0.3 seconds. With another server, a search begins immediately. The newest search wins.
package let dogsAtom = AsyncAtom<[Dog]> {
  @UseAtomValue(searchTextAtom, debounce: 0.3) var text
  @UseAtomValue(dogServerAtom) var server
  return try await server.search(text)
}

/// The text on the screen.
package let dogScreenAtom = DerivedAtom {
  switch dogsAtom.value {
  case .loading:
    let former = dogsAtom.latest.value.map { " (before: \(text($0)))" } ?? ""
    return "Searching\(former) ..."
  case .success(let dogs):
    return text(dogs)
  case .failure(is CancellationError):
    return "The search was canceled. Enter :reload to try again."
  case .failure(let error):
    return "\(error) Enter :reload to try again."
  }
}

private func text(_ dogs: [Dog]) -> String {
  dogs.isEmpty ? "no dogs" : dogs.map(\.name).joined(separator: ", ")
}
