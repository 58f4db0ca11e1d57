import ActorStore

/// How long an expectation waits, and where it is.
package struct ExpectationLimits: Sendable {
  let limit: Duration
  let clock: (any Clock<Duration>)?
  let site: CallSite

  package init(_ limit: Duration, _ clock: (any Clock<Duration>)?, _ site: CallSite) {
    self.limit = limit
    self.clock = clock
    self.site = site
  }
}

/// The kinds of expectations.
extension Expectation {
  private init(
    _ wanted: @escaping @Sendable () -> String, _ limits: ExpectationLimits,
    describe: (@Sendable (Value) -> String)? = nil, fits: @escaping @Sendable (Result<Value, any Error>) -> Bool
  ) {
    self.init(
      wanted: wanted, limit: limits.limit, clock: limits.clock, site: limits.site,
      describe: describe ?? { Dump.text(of: $0) }, fits: fits)
  }

  package static func meeting(
    _ condition: @escaping @Sendable (Value) -> Bool, _ limits: ExpectationLimits
  ) -> Self {
    Self({ "a value that meets the condition" }, limits) { $0.fits(condition) }
  }

  package static func error(_ limits: ExpectationLimits) -> Self {
    Self({ "an error" }, limits) { $0.error != nil }
  }

  package static func noError(_ limits: ExpectationLimits) -> Self {
    Self({ "a value without an error" }, limits) { $0.error == nil }
  }
}

extension Expectation where Value: Equatable {
  package static func equal(to other: Value, _ limits: ExpectationLimits) -> Self {
    Self(
      { "a value equal to \(Dump.text(of: other))" }, limits,
      describe: { "(- expected, + seen):\n\(Dump.difference(from: other, to: $0) ?? "")" },
      fits: { $0.fits { Dump.areSame(other, $0) } })
  }

  package static func different(from other: Value, _ limits: ExpectationLimits) -> Self {
    Self({ "a value other than \(Dump.text(of: other))" }, limits) { $0.fits { !Dump.areSame(other, $0) } }
  }
}

extension Expectation where Value: Comparable {
  package static func greater(than other: Value, _ limits: ExpectationLimits) -> Self {
    Self({ "a value greater than \(Dump.text(of: other))" }, limits) { $0.fits { $0 > other } }
  }

  package static func atLeast(_ other: Value, _ limits: ExpectationLimits) -> Self {
    Self({ "a value of at least \(Dump.text(of: other))" }, limits) { $0.fits { $0 >= other } }
  }

  package static func less(than other: Value, _ limits: ExpectationLimits) -> Self {
    Self({ "a value less than \(Dump.text(of: other))" }, limits) { $0.fits { $0 < other } }
  }

  package static func atMost(_ other: Value, _ limits: ExpectationLimits) -> Self {
    Self({ "a value of at most \(Dump.text(of: other))" }, limits) { $0.fits { $0 <= other } }
  }
}

extension Expectation<Bool> {
  package static func bool(_ value: Bool, _ limits: ExpectationLimits) -> Self {
    Self({ "\(value)" }, limits) { $0.fits { $0 == value } }
  }
}

extension Expectation {
  package static func none<Wrapped>(_ limits: ExpectationLimits) -> Self where Value == Wrapped? {
    Self({ "nil" }, limits) { $0.fits { $0 == nil } }
  }

  package static func some<Wrapped>(_ limits: ExpectationLimits) -> Self where Value == Wrapped? {
    Self({ "a value other than nil" }, limits) { $0.fits { $0 != nil } }
  }
}
