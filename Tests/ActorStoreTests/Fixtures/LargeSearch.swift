import Testing

extension Trait where Self == ConditionTrait {
  /// Runs a test in optimized builds only: it searches so much that it takes minutes otherwise.
  static var largeSearch: Self {
    #if DEBUG
      .disabled("a large search, for optimized builds")
    #else
      .enabled(if: true)
    #endif
  }
}
