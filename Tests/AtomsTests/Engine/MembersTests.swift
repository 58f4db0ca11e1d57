import SeededRandom
import Testing

@testable import Atoms

/// The members of families that a store holds (A32).
@Suite struct MembersTests {
  /// A search examines a constant number of members for each new one, and ends before many more have joined.
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
      #expect(held.count <= max(68, needed * 17 / 8 + 1), "\(number)")
    }
    #expect(Set(members.takeAll()) == held)
    #expect(held.count { $0 % neededShare == 0 } == (50_000 + neededShare - 1) / neededShare)
  }

  /// Members that join while none may be dropped are examined later.
  @Test func stepsAreNotLost() {
    var members = Members<Int>()
    for number in 0..<10_000 { members.add(number) }
    #expect(members.steps == 10_000)
    // The first search has only the first 64 members. Another one follows.
    var (taken, count) = ([Int](), 0)
    while members.steps > 0 {
      count += 1
      taken += members.takeUnneeded(limit: 64) { $0 % 100 == 0 }
    }
    #expect(count <= 10_000 / 64 + 1 && taken.count > 9_800)
  }
}
