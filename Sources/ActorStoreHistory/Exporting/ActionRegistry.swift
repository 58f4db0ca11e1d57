public import ActorStore

/// A registry of the actions that can be exported and replayed, by name.
///
/// ```swift
/// let actions: ActionRegistry<Draft> = ["insert": Insert.self, "erase": Erase.self]
/// ```
///
/// A name identifies the type in files, so keep it when you rename the type.
public struct ActionRegistry<State: Sendable>: Sendable, ExpressibleByDictionaryLiteral {
  /// The type of an action that can be encoded and decoded.
  public typealias ActionType = any (Action<State> & Codable).Type

  private let types: [String: ActionType]
  private let names: [ObjectIdentifier: String]

  /// Creates a registry.
  ///
  /// - Parameter elements: The names and the types. Each name and each type can occur once.
  public init(dictionaryLiteral elements: (String, ActionType)...) {
    var types: [String: ActionType] = [:]
    var names: [ObjectIdentifier: String] = [:]
    for (name, type) in elements {
      if types.updateValue(type, forKey: name) != nil {
        fatalError("ActorStoreHistory: two actions are registered as \"\(name)\". Give each action its own name.")
      }
      if names.updateValue(name, forKey: ObjectIdentifier(type)) != nil {
        fatalError("ActorStoreHistory: \(type) is registered twice. Register each type under one name.")
      }
    }
    (self.types, self.names) = (types, names)
  }

  /// The action with its name, or `nil` if its type is not registered.
  func named(_ action: any Action<State>) -> (name: String, action: any Action<State> & Encodable)? {
    guard let name = names[ObjectIdentifier(type(of: action))], let action = action as? any Action<State> & Encodable
    else { return nil }
    return (name, action)
  }

  func contains(_ action: any Action<State>) -> Bool { names[ObjectIdentifier(type(of: action))] != nil }

  /// The type that is registered under a name.
  subscript(name: String) -> ActionType? { types[name] }
}
