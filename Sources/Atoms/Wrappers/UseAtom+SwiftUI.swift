#if canImport(SwiftUI)
  public import SwiftUI

  extension UseAtom: DynamicProperty {
    /// Called by SwiftUI before it draws the view.
    public mutating func update() {
      redraw = keptRedraw
      redraw?.follow(reference)
    }
  }

  extension UseAtomValue: DynamicProperty {
    /// Called by SwiftUI before it draws the view.
    public mutating func update() {
      redraw = keptRedraw
      redraw?.follow(reference)
    }
  }

  extension Binding {
    /// Creates a binding to an atom.
    init(_ reference: AtomReference<Value>) where Value: Sendable {
      self.init(get: { reference.value }, set: { reference.set($0) })
    }
  }

  extension View {
    /// Reports each change of an atom in the shared store, from the moment when the view appears.
    ///
    /// It is like `AtomStore.enableAtomLogging(debugScope:to:)`. A second call replaces the sink and the scope.
    ///
    /// - Parameters:
    ///   - debugScope: The atoms to report, or `nil` for all.
    ///   - sink: The closure that gets the entries. By default, it prints them.
    /// - Returns: A view that draws like this one.
    public func enableAtomLogging(
      debugScope: AtomStore.DebugScope? = nil,
      to sink: @escaping @Sendable (AtomChange) -> Void = { print($0) }
    ) -> some View {
      onAppear { AtomStore.shared.enableAtomLogging(debugScope: debugScope, to: sink) }
    }
  }
#endif
