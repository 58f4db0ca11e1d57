public import ActorStore

extension SelectionComparison {
  /// Compares values only by their parts at the given key paths.
  ///
  /// ```swift
  /// store.select(Selection(\.song), .onChange(of: \.title, \.artist)).connect(header)
  /// ```
  ///
  /// As with `by(_:)`, each call creates a distinct comparison. A part that is not equal to itself, such as NaN, counts
  /// as a change at each commit.
  ///
  /// - Parameter parts: The key paths. A value repeats the last one if all of these parts are equal.
  public static func onChange<each Part: Equatable & SendableMetatype>(
    of parts: repeat any KeyPath<Value, each Part> & Sendable
  ) -> SelectionComparison {
    .by { last, new in
      for part in repeat each parts {
        if !areEqual(last, new, at: part) { return false }
      }
      return true
    }
  }
}

private func areEqual<Value, Part: Equatable>(_ one: Value, _ other: Value, at path: KeyPath<Value, Part>) -> Bool {
  one[keyPath: path] == other[keyPath: path]
}
