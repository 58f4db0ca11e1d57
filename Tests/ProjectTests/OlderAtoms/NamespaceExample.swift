import Atoms

enum MyAtoms {
  static let atom = Atom("")
  static let derived = DerivedAtom {
    @UseAtomValue(atom) var someValue
    return someValue.filter {
      $0.isNumber
    }
  }
}
