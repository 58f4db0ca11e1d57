@testable import ActorStoreEvents

extension ArrayStep {
  static func remove(id: Int) -> Self {
    Self("remove(id: \(id))") {
      $0.remove(id: id)
    } model: { model in
      model.position(id).map { model.remove(at: $0) }
    }
  }

  static func remove(ids: [Int]) -> Self {
    Self("remove(ids: \(ids))") {
      $0.remove(ids: ids)
      return nil
    } model: {
      $0.removeAll { ids.contains($0.id) }
      return nil
    }
  }

  static func remove(at position: Int) -> Self {
    Self("remove(at: \(position))") {
      position < $0.count ? $0.remove(at: position) : nil
    } model: {
      position < $0.count ? $0.remove(at: position) : nil
    }
  }

  static func remove(atOffsets offsets: [Int]) -> Self {
    Self("remove(atOffsets: \(offsets))") {
      $0.remove(atOffsets: offsets.filter($0.indices.contains))
      return nil
    } model: { model in
      for position in model.existing(offsets).reversed() { model.remove(at: position) }
      return nil
    }
  }

  static func removeSubrange(_ bounds: Range<Int>) -> Self {
    Self("removeSubrange(\(bounds))") {
      $0.removeSubrange(bounds.clamped(to: $0.indices))
      return nil
    } model: {
      $0.removeSubrange(bounds.clamped(to: $0.indices))
      return nil
    }
  }

  static let removeFirst = Self("removeFirst()") {
    $0.isEmpty ? nil : $0.removeFirst()
  } model: {
    $0.isEmpty ? nil : $0.removeFirst()
  }

  static let removeLast = Self("removeLast()") {
    $0.isEmpty ? nil : $0.removeLast()
  } model: {
    $0.isEmpty ? nil : $0.removeLast()
  }

  static let popLast = Self("popLast()") {
    $0.popLast()
  } model: {
    $0.popLast()
  }

  static func removeFirst(_ count: Int) -> Self {
    Self("removeFirst(\(count))") {
      $0.removeFirst(min(count, $0.count))
      return nil
    } model: {
      $0.removeFirst(min(count, $0.count))
      return nil
    }
  }

  static func removeLast(_ count: Int) -> Self {
    Self("removeLast(\(count))") {
      $0.removeLast(min(count, $0.count))
      return nil
    } model: {
      $0.removeLast(min(count, $0.count))
      return nil
    }
  }

  static func removeAll(divisibleBy divisor: Int) -> Self {
    Self("removeAll { $0.id % \(divisor) == 0 }") {
      $0.removeAll { $0.id % divisor == 0 }
      return nil
    } model: {
      $0.removeAll { $0.id % divisor == 0 }
      return nil
    }
  }

  /// A condition that throws changes nothing, even if elements before it were to be removed.
  static func removeAll(throwingAt id: Int) -> Self {
    Self("removeAll that throws at \(id)") { array in
      do throws(Refusal) {
        try array.removeAll { item throws(Refusal) in
          if item.id == id { throw Refusal() }
          return true
        }
      } catch {
        return "\(error)"
      }
      return nil
    } model: { model in
      if model.position(id) != nil { return "\(Refusal())" }
      model = []
      return nil
    }
  }

  static func removeAll(keepingCapacity: Bool) -> Self {
    Self("removeAll(keepingCapacity: \(keepingCapacity))") {
      $0.removeAll(keepingCapacity: keepingCapacity)
      return nil
    } model: {
      $0.removeAll()
      return nil
    }
  }
}
