import { CHECKOUT_COMMANDS, networkCommands, withCompletion } from './command-table.ts'
import { runCommandLine } from './line/command-line.ts'
import { sentenceFor } from './line/failure.ts'

/** The installed `petstore`: all that talks to a server. Resolves to the exit code. */
export function main(version: string, args: string[]): Promise<number> {
  const program = {
    table: withCompletion(networkCommands),
    version,
    settings: 'Settings are environment variables: PETSTORE_SERVER (its address), PETSTORE_TOKEN and PETSTORE_KEY.',
    elsewhere: CHECKOUT_COMMANDS,
    sentenceFor,
  }
  return runCommandLine(program, args)
}
