import { type Command, type LoadCommand, type Options, UsageError } from '../../cli/src/line/command.ts'
import { settings } from '../../cli/src/settings.ts'

const WHERE = 'Acts on the database of this installation; at a server with --server, PETSTORE_SERVER or PETSTORE_TOKEN.'

/** One command for both: on the database of a checkout, with or without a running service, or at a server. */
export function either(onDatabase: LoadCommand, atServer: LoadCommand): LoadCommand {
  return async () => {
    const [{ command: here }, { command: there }] = await Promise.all([onDatabase(), atServer()])
    const command: Command = {
      ...here,
      about: `${here.about}\n${WHERE}`,
      options: { ...withoutDuties(there.options), ...here.options },
      run(call) {
        const values = call.values as Record<string, unknown>
        const isRemote = values.server !== undefined || settings().isRemote
        requireFitting(values, isRemote ? there.options : here.options, isRemote ? 'at a server' : 'on a database')
        return (isRemote ? there : here).run(call)
      },
    }
    return { command }
  }
}

/** What the one side requires, the other may not even know. */
const withoutDuties = (options: Options): Options =>
  Object.fromEntries(Object.entries(options).map(([name, { required: _, ...spec }]) => [name, spec]))

function requireFitting(values: Record<string, unknown>, options: Options, where: string): void {
  for (const [name, value] of Object.entries(values)) {
    const isGiven = value !== undefined && value !== false
    if (isGiven && !options[name]) throw new UsageError(`--${name} is of no use ${where}: leave it out.`)
  }
  for (const [name, { required, help }] of Object.entries(options)) {
    if (required && values[name] === undefined) throw new UsageError(`--${name} is missing ${where}: ${help}.`)
  }
}
