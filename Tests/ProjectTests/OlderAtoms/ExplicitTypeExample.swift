import Atoms

let someAtom = DerivedAtom {
  @UseAtomValue(someOtherAtom) var value: String
  print(value)
  return "Hello " + value
}
