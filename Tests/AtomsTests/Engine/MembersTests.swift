import SeededRandom
import Testing

@testable import Atoms

/// The members of families that a store holds (A32).
@Suite struct MembersTests {
  /// A search examines a constant number of members for each new one, and ends before their number has grown much.
  @Test(arguments: [1, 10, 1_000]) func aMemberPaysForAFewExaminations(neededShare: Int) {
    var members = Members<Int>()
    var (held, examined): (Set<Int>, Int) = ([], 0)
    for number in 0..<50_000 {
      members.add(number)
      held.insert(number)
      let former = examined
      for number in members.takeUnneeded(
        limit: 64,
        {
          examined += 1; return $0 % neededShare == 0
        })
      {
        #expect(number % neededShare != 0)
        #expect(held.remove(number) == number)
      }
      #expect(examined - former <= Members<Int>.stepsPerMember)
      let needed = number / neededShare + 1
      #expect(held.count <= max(64, 2 * needed) * 17 / 16 + 16, "\(number)")
    }
    #expect(Set(members.takeAll()) == held)
    #expect(held.count { $0 % neededShare == 0 } == (50_000 + neededShare - 1) / neededShare)
  }

  /// Members that join while none may be dropped are examined later.
  @Test func stepsAreNotLost() {
    var members = Members<Int>()
    for number in 0..<10_000 { members.add(number) }
    // The first search has only the first 64 members.
    #expect(members.steps == 64)
    var taken = members.takeUnneeded(limit: 64) { $0 % 100 == 0 }
    #expect(taken.sorted() == Array(1..<64) && members.steps == 0)
    for number in 10_000..<10_700 {
      members.add(number)
      taken += members.takeUnneeded(limit: 64) { $0 % 100 == 0 }
    }
    #expect(taken.count > 9_800)
  }
}
