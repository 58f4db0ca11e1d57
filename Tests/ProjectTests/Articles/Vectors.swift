/// The program in `docs/VectorsInAsyncFunctions.md`.
///
/// It shows its bug only if `swiftc -O` compiles it as a file of its own, so it does not run here.
struct Vectors {
  struct Refused<Value: Sendable>: Error { let value: Value }
  enum Outcome<Value: Sendable>: Sendable { case done(Value), skipped }

  @inline(never)
  func run<Value: Sendable>(_ value: Value, _ fails: Bool) async throws(Refused<Value>) -> Outcome<Value> {
    if fails { throw Refused(value: value) }
    return .done(value)
  }

  @inline(never)
  func result<Value: Sendable>(_ value: Value, _ fails: Bool) async -> Result<Outcome<Value>, Refused<Value>> {
    do throws(Refused<Value>) { return .success(try await run(value, fails)) } catch { return .failure(error) }
  }

  func main() async {
    print(await result(SIMD4<Double>(1, 2, 3, 4), false))
  }
}
