import Testing

extension Trait where Self == TimeLimitTrait {
  /// For a test that waits for what only the runtime can do: it is named if that never happens.
  ///
  /// No bound on its speed: beside hundreds of others, under a sanitizer and on a machine that is shared, a test has to
  /// wait for minutes before it has a thread at all.
  static var namedIfItHangs: Self { .timeLimit(.minutes(30)) }
}
