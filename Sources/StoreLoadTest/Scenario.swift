/// One case of the load test: what is timed or counted, and what must hold meanwhile.
struct Scenario {
  let name: String
  let run: @Sendable (Context) async -> Row
}
