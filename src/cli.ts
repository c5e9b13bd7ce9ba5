import { commands } from './commands/command-table.ts'
import { runCommandLine } from './commands/line/command-line.ts'

process.exitCode = await runCommandLine(commands, process.argv.slice(2))
