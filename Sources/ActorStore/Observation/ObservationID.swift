/// Distinguishes the observations of one owner.
package struct ObservationID: Sendable {
  let value: any Hashable & Sendable
  /// The call that starts the observation, or `nil` if the caller gave an explicit ID.
  let callSite: CallSite?

  /// - Parameters:
  ///   - id: The caller's ID, if it gave one.
  ///   - observed: A value that represents the observed states or values. It is the ID if the caller gave none.
  package init(_ id: (any Hashable & Sendable)?, of observed: any Hashable & Sendable, _ callSite: CallSite) {
    value = id ?? observed
    self.callSite = id == nil ? callSite : nil
  }

  /// Whether two observations of the same owner have the same ID.
  ///
  /// Called without a lock, because the comparison may run user code.
  func matches(_ other: ObservationID) -> Bool {
    AnyHashable(value) == AnyHashable(other.value)
  }
}

/// The position of a call in the source code.
package struct CallSite: Sendable, CustomStringConvertible {
  package let fileID: StaticString
  package let line: UInt
  let column: UInt

  package init(fileID: StaticString, line: UInt, column: UInt) {
    self.fileID = fileID
    self.line = line
    self.column = column
  }

  package var description: String { "\(fileID):\(line):\(column)" }
}

extension CallSite: Equatable {
  package static func == (one: CallSite, other: CallSite) -> Bool {
    one.line == other.line && one.column == other.column && one.fileID.description == other.fileID.description
  }
}

/// Represents the observation that a mirror on the main actor makes for itself, in an `ObservationID`.
package struct OfMirror: Hashable, Sendable {
  package init() {}
}
