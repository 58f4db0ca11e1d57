import Testing

extension Trait where Self == ConditionTrait {
  /// Runs a test only in optimized builds, because its search takes minutes in debug builds.
  static var largeSearch: Self {
    #if DEBUG
      .disabled("This large search runs only in optimized builds.")
    #else
      .enabled(if: true)
    #endif
  }
}
