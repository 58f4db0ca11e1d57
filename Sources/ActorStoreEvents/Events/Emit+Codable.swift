extension Emit: Codable where State.Event: Codable {
  /// Decodes the event.
  public init(from decoder: any Decoder) throws { self.init(try State.Event(from: decoder)) }

  /// Encodes the event.
  public func encode(to encoder: any Encoder) throws { try event.encode(to: encoder) }
}

extension EmitAll: Codable where State.Event: Codable {
  /// Decodes the events.
  public init(from decoder: any Decoder) throws { self.init(try [State.Event](from: decoder)) }

  /// Encodes the events.
  public func encode(to encoder: any Encoder) throws { try events.encode(to: encoder) }
}
