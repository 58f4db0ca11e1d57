@testable import ActorStoreEvents

extension ArrayStep {
  static func set(id: Int, _ value: Int?) -> Self {
    let item = value.map { Item(id, $0) }
    return Self("[id: \(id)] = \(String(describing: item))") {
      $0[id: id] = item
      return $0[id: id]
    } model: { model in
      switch (model.position(id), item) {
      case (let position?, let item?): model[position] = item
      case (let position?, nil): model.remove(at: position)
      case (nil, let item?): model.append(item)
      case (nil, nil): break
      }
      return item
    }
  }

  static func edit(id: Int, adding value: Int) -> Self {
    Self("[id: \(id)]?.value += \(value)") {
      $0[id: id]?.value += value
      return nil
    } model: { model in
      if let position = model.position(id) { model[position].value += value }
      return nil
    }
  }

  /// An edit that throws keeps what it has changed.
  static func editAndThrow(id: Int, _ value: Int?) -> Self {
    Self("[id: \(id)] = \(String(describing: value)) and throw") { array in
      func set(_ item: inout Item?) throws {
        item = value.map { Item(id, $0) }
        throw Refusal()
      }
      return try? set(&array[id: id])
    } model: { model in
      _ = Self.set(id: id, value).changeModel(&model)
      return nil as Void?
    }
  }

  static func edit(at position: Int, adding value: Int) -> Self {
    Self("[\(position)].value += \(value)") {
      if position < $0.count { $0[position].value += value }
      return nil
    } model: {
      if position < $0.count { $0[position].value += value }
      return nil
    }
  }

  /// An assignment at a position, unless another element has the ID.
  static func set(at position: Int, _ item: Item) -> Self {
    Self("[\(position)] = \(item)") {
      if position < $0.count, [position, nil].contains($0.index(id: item.id)) { $0[position] = item }
      return nil
    } model: { model in
      if position < model.count, [position, nil].contains(model.position(item.id)) { model[position] = item }
      return nil
    }
  }

  /// A change of an ID, unless another element has it.
  static func update(id: Int, newID: Int, _ value: Int, throwing: Bool) -> Self {
    Self("update(id: \(id)) with the ID \(newID)\(throwing ? " and throw" : "")") { array in
      if ![array.index(id: id), nil].contains(array.index(id: newID)) { return nil }
      return try? array.update(id: id) { item in
        item = Item(newID, value)
        if throwing { throw Refusal() }
        return item
      }
    } model: { model in
      guard let position = model.position(id), [position, nil].contains(model.position(newID)) else {
        return nil as Item?
      }
      model[position] = Item(newID, value)
      return throwing ? nil : model[position]
    }
  }
}
