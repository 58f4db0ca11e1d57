import Terminal
import TodoList

await TodoList.run(terminalLines()) { print($0) }
