/// The examples of the README of the older Atoms, without indentation.
enum OlderReadme {
  static let text = #"""
    // Create a text atom
    let textAtom = Atom("")
    // Create a derived atom that depends on textAtom.
    // Atoms automatically update their state when any of their dependencies change.
    let extractedNumbersAtom = DerivedAtom {
    @UseAtomValue(textAtom) var text
    return text.filter {
    $0.isNumber
    }
    }
    struct ContentView: View {
    // Provide write access to the textAtom
    @UseAtom(textAtom) var text
    // Provide read-only access to the extractedNumbersAtom
    @UseAtomValue(extractedNumbersAtom) var numbers
    var body: some View {
    VStack {
    TextField("", text: $text)
    Text("Extracted numbers: \(numbers)")
    }
    }
    }
    """#

  static let dogs = #"""
    let searchTextAtom = Atom("")
    let apiAtom = Atom(...)
    // Define a dogsAtom for fetching dogs based on the search text
    let dogsAtom = AsyncAtom<[Dog]> {
    @UseAtomValue(searchTextAtom, debounce: 0.3) var searchText
    @UseAtomValue(apiAtom) var api
    return try await api.searchDogs(searchText)
    }
    struct SearchDogsView: View {
    @UseAtom(searchTextAtom) var searchText
    @UseAtomValue(dogsAtom) var dogsState
    var body: some View {
    NavigationStack {
    List {
    switch dogsState {
    case .loading:
    ProgressView()
    case .success(let dogs):
    ForEach(dogs) {
    Text($0.name)
    }
    case .failure(let error):
    Text(error.localizedDescription)
    Button("Try again") {
    dogsAtom.reload()
    }
    }
    }
    .searchable(text: $searchText)
    }
    }
    }
    """#

  static let dogsTest = #"""
    @MainActor
    func testDogsSuccess() async throws {
    let mock: [Dog] = [.init(name: "Pluto"), .init(name: "Lassie")]
    try await TestStore { store in
    store.inject(apiAtom) {
    .init(searchDogs: { _ in
    return mock
    })
    }
    @CaptureAtomValue(dogsAtom) var dogsState: AsyncState<[Dog]>
    @CaptureAtom(searchTextAtom) var searchText: String
    searchText = "Foo"
    try await expectEqual(dogsState, .success(mock))
    }
    }
    """#

  static let todosTest = #"""
    @MainActor
    func testFilterCompletedTodos() async throws {
    try await TestStore { store in
    let firstMock = Todo(name: "Todo1")
    let secondMock = Todo(name: "Todo2", completed: true)
    let mock: [Todo] = [firstMock, secondMock]
    store.inject(todosAtom) {
    return mock
    }
    @CaptureAtom(filterTodosOptionAtom) var filterTodosOption: FilterOption
    @CaptureAtomValue(filteredTodosAtom) var filteredTodos: [Todo]
    filterTodosOption = .completed
    try await expectEqual(filteredTodos, [secondMock])
    }
    }
    """#

  static let namespace = #"""
    enum MyAtoms {
    static let atom = Atom("")
    static let derived = DerivedAtom {
    @UseAtomValue(atom) var someValue
    return someValue.filter {
    $0.isNumber
    }
    }
    }
    """#

  static let viewController = #"""
    class ViewController: UIViewController {
    @CaptureAtomPublisher(searchTextAtom) var searchTextPublisher
    private let label = UILabel()
    private var cancellable: AnyCancellable?
    override func viewDidLoad() {
    super.viewDidLoad()
    view.addSubview(label)
    cancellable = searchTextPublisher
    .sink { [weak self] text in
    self?.label.text = text
    }
    }
    }
    """#

  static let explicitType = #"""
    let someAtom = DerivedAtom {
    @UseAtomValue(someOtherAtom) var value: String
    print(value)
    return "Hello " + value
    }
    """#

  static let bindings = #"""
    let personsAtom = Atom<[Person]>([Person(name: "John", age: 26)])
    struct ParentView: View {
    @UseAtom(personsAtom) var persons
    var body: some View {
    List($persons) { $person in
    PersonView(person: $person)
    }
    }
    }
    struct PersonView: View {
    @Binding var person: Person
    var body: some View {
    TextField("Name", text: $person.name)
    }
    }
    """#

  static let newAtoms = #"""
    let personsAtom = Atom<[Person]>([Person(name: "John", age: 26)])
    struct ParentView: View {
    @UseAtom(personsAtom) var persons
    var body: some View {
    List(persons) { person in
    PersonView(personAtom: Atom(person).onUpdate(skip: 1, { newValue in
    guard let index = persons.firstIndex(where: { $0.id == newValue.id }) else {
    return
    }
    persons[index] = newValue
    }))
    }
    }
    }
    struct PersonView: View {
    @UseAtom var person: Person
    init(personAtom: Atom<Person>) {
    self._person = UseAtom(personAtom)
    }
    var body: some View {
    TextField("Name", text: $person.name)
    }
    }
    """#
}
