import EventTodo
import Terminal

await EventTodo.run(terminalLines()) { print($0) }
