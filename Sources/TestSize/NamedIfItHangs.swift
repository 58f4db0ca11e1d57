package import Testing

extension Trait where Self == TimeLimitTrait {
  /// A time limit that names the test if it hangs, for tests that wait for the runtime.
  ///
  /// The limit does not bound the test's speed. Among hundreds of other tests, under a sanitizer, and on a shared
  /// machine, a test may wait for minutes before it gets a thread.
  package static var namedIfItHangs: Self { .timeLimit(.minutes(30)) }
}
