import packageJson from '../package.json' with { type: 'json' }
import { runCommandLine } from '../cli/src/line/command-line.ts'
import { commands } from './commands/command-table.ts'
import { sentenceFor } from './commands/line/failure.ts'

const program = {
  table: commands,
  version: packageJson.version,
  settings: `Settings are environment variables, such as PETSTORE_DATA (the data directory), DATABASE_URL (PostgreSQL)
and PETSTORE_SERVER (to act at a server).`,
  elsewhere: [],
  sentenceFor,
}

process.exitCode = await runCommandLine(program, process.argv.slice(2))
