import Testing

extension Trait where Self == ConditionTrait {
  /// Runs a test only in optimized builds, because its search takes minutes without optimization.
  static var largeSearch: Self {
    #if DEBUG
      .disabled("a large search, which runs only in optimized builds")
    #else
      .enabled(if: true)
    #endif
  }
}
