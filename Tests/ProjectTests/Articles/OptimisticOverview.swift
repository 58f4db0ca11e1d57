import ActorStore
import ActorStoreOptimistic

// The code of the overview of `ActorStoreOptimistic`.

enum OptimisticOverview {
  struct Server: Sendable {
    let rename: @Sendable (_ title: String, _ number: UInt64) async throws -> Void
  }

  struct Document: Equatable, Sendable {
    var title = Optimistic("Untitled")
  }

  static func rename(_ document: Store<Document>, to title: String, on server: Server) async throws {
    let update = OptimisticUpdate<Document, String>(\.title, to: title) { title, number in
      try await server.rename(title, number)
    }
    try await document.dispatch(update).get()
  }
}
