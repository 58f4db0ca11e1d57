import DogSearch
import Terminal

await DogSearch.run(terminalLines()) { print($0) }
