@testable import ActorStoreEvents

extension ArrayStep {
  static func append(_ item: Item) -> Self {
    Self("append(\(item))") {
      $0.append(item)
    } model: { model in
      if let position = model.position(item.id) { return (inserted: false, index: position) }
      model.append(item)
      return (inserted: true, index: model.count - 1)
    }
  }

  static func append(contentsOf items: [Item]) -> Self {
    Self("append(contentsOf: \(items))") {
      $0.append(contentsOf: items)
      return nil
    } model: { model in
      for item in items where model.position(item.id) == nil { model.append(item) }
      return nil
    }
  }

  static func insert(_ item: Item, at position: Int) -> Self {
    Self("insert(\(item), at: \(position))") {
      position <= $0.count ? $0.insert(item, at: position) : nil
    } model: { model in
      if position > model.count { return nil }
      if let other = model.position(item.id) { return (inserted: false, index: other) }
      model.insert(item, at: position)
      return (inserted: true, index: position)
    }
  }

  static func insert(contentsOf items: [Item], at position: Int) -> Self {
    Self("insert(contentsOf: \(items), at: \(position))") { array in
      if position <= array.count { array.insert(contentsOf: items, at: position) }
      return nil
    } model: { model in
      if position > model.count { return nil }
      var next = position
      for item in items where model.position(item.id) == nil {
        model.insert(item, at: next)
        next += 1
      }
      return nil
    }
  }

  static func updateOrAppend(_ item: Item) -> Self {
    Self("updateOrAppend(\(item))") {
      $0.updateOrAppend(item)
    } model: { model in
      guard let position = model.position(item.id) else {
        model.append(item)
        return nil as Item?
      }
      defer { model[position] = item }
      return model[position] as Item?
    }
  }
}
