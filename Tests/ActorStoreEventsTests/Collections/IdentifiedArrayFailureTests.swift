import ActorStoreEvents
import Testing

/// Calls that would make an array inconsistent stop the program with a message, in optimized builds, too.
@Suite struct IdentifiedArrayFailureTests {
  private final class Object: Identifiable {
    var id: Int

    init(_ id: Int) { self.id = id }
  }

  private struct Measured: Identifiable {
    var id: Double
  }

  enum Call: String, CaseIterable, Codable, Sendable {
    case literal, duplicates, combining
    case assigningAnotherID, editingTheID, addingAnotherID
    case updatingToATakenID, updatingToATakenIDAndThrowing, assigningATakenID
    case addingNaN, editingToNaN
    case removingAChangedObject, movingAChangedObject
    case inserting, insertingMany, moving, movingTo, removingOffsets

    /// A part of the message.
    var message: String {
      switch self {
      case .literal, .duplicates: "of which two have the ID 1, at the positions 0 and 2. IDs must be unique."
      case .combining: "two elements with the ID 1 were combined into an element with the ID 2."
      case .assigningAnotherID, .editingTheID, .addingAnotherID:
        "an element with the ID 9 was assigned to subscript(id:) with the ID"
      case .updatingToATakenID, .updatingToATakenIDAndThrowing, .assigningATakenID:
        "an edit of the element at position 0 changed its ID from 1 to 2, but the element at position 1 already has this"
      case .addingNaN, .editingToNaN: "the ID nan, which is not equal to itself"
      case .removingAChangedObject, .movingAChangedObject: "has the ID 9, but it had another one when it was added."
      case .inserting: "insert(_:at:) was called with the position 3, but the IdentifiedArray has 2 elements."
      case .insertingMany: "insert(contentsOf:at:) was called with the position -1,"
      case .moving: "move(fromOffsets:toOffset:) was called with the position 2,"
      case .movingTo: "move(fromOffsets:toOffset:) was called with the position 3,"
      case .removingOffsets: "remove(atOffsets:) was called with the position -1,"
      }
    }

    func perform() throws {
      var array: IdentifiedArray = [Item(1, 0), Item(2, 0)]
      var measured: IdentifiedArray = [Measured(id: 1)]
      let objects: IdentifiedArray = [Object(1), Object(2), Object(3)]
      switch self {
      case .literal: array = [Item(1, 0), Item(2, 0), Item(1, 1)]
      case .duplicates: array = IdentifiedArray(uniqueElements: [Item(1, 0), Item(2, 0), Item(1, 1)])
      case .combining: array = IdentifiedArray([Item(1, 0), Item(1, 0)]) { _, _ in Item(2, 0) }
      case .assigningAnotherID: array[id: 1] = Item(9, 0)
      case .editingTheID: array[id: 1]?.id = 9
      case .addingAnotherID: array[id: 3] = Item(9, 0)
      case .updatingToATakenID: array.update(id: 1) { $0.id = 2 }
      case .updatingToATakenIDAndThrowing:
        try array.update(id: 1) {
          $0.id = 2
          throw Refusal()
        }
      case .assigningATakenID: array[0] = Item(2, 0)
      case .addingNaN: measured.append(Measured(id: .nan))
      case .editingToNaN: measured[0].id = .nan
      case .removingAChangedObject:
        objects[0].id = 9
        var copy = objects
        copy.remove(at: 0)
      case .movingAChangedObject:
        objects[0].id = 9
        var copy = objects
        copy.reverse()
      case .inserting: array.insert(Item(1, 0), at: 3)
      case .insertingMany: array.insert(contentsOf: [], at: -1)
      case .moving: array.move(fromOffsets: [0, 2], toOffset: 0)
      case .movingTo: array.move(fromOffsets: [], toOffset: 3)
      case .removingOffsets: array.remove(atOffsets: [1, -1])
      }
    }
  }

  @Test(arguments: Call.allCases) func stopsTheProgramWithAMessage(_ call: Call) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [call] in
      try call.perform()
    }
    let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(text.contains("ActorStoreEvents: "))
    #expect(text.contains(call.message), "\(text.prefix(1000))")
  }

  /// An object whose ID has changed is still found by its former ID, until the array notices the change.
  @Test func anEditByTheFormerIDFollowsTheChange() {
    let object = Object(1)
    var array = IdentifiedArray(uniqueElements: [object])
    object.id = 2
    array.update(id: 1) { _ in }
    #expect(!array.contains(id: 1))
    #expect(array.index(id: 2) == 0)
  }
}
