import ActorStore

struct Book: Sendable {
  var entries: [String] = []
  let capacity = 2
}

/// Runs the examples of the article "Performance", and returns the entries of the book at the end.
func keepingAStateCheap(_ store: Store<Book> = Store(Book())) async throws -> [String] {
  struct Full: Error {}
  let entry = "first"

  // Copies `entries` each time, because it can throw after the first change.
  try await store.dispatch { book throws(Full) in
    if book.entries.count == book.capacity { throw Full() }
    book.entries.append(entry)
  }

  for entry in ["second", "third"] {
    // Edits in place, and returns whether the book is full.
    let isFull = await store.dispatch { book in
      if book.entries.count == book.capacity { return true }
      book.entries.append(entry)
      return false
    }.output
    if isFull == true { await store.dispatch { $0.entries.append("no more") } }
  }
  return await store.state.entries
}
