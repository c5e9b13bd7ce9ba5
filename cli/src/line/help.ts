import type { ArgumentSpec, Command, CommandTable, OptionSpec, Program } from './command.ts'
import { columns } from './columns.ts'

export const title = ({ version }: Program) => `Petstore ${version}: an animals API and a publishing platform.`

export function overview({ table, settings, elsewhere }: Program): string {
  const others = elsewhere.length === 0 ? '' : `\nWhere the service itself is installed: ${elsewhere.join(', ')}.`
  return `Usage: petstore COMMAND …

${rows(table)}

Every command explains itself: petstore COMMAND --help
${settings}${others}`
}

/** The commands that begin with this word, if there are any. */
export function groupHelp(table: CommandTable, group: string): string | undefined {
  const members = Object.fromEntries(Object.entries(table).filter(([name]) => name.startsWith(`${group} `)))
  if (Object.keys(members).length === 0) return undefined
  return `Usage: petstore ${group} COMMAND …\n\n${rows(members)}\n\nMore on each: petstore ${group} COMMAND --help`
}

export function commandHelp(name: string, command: Command): string {
  const sections = [command.about, `Usage: ${usageLine(name, command)}`]
  const details = [
    ...command.arguments.map((argument) => [argument.name, argumentHelp(argument)]),
    ...Object.entries(command.options).map(([option, spec]) => [flag(option, spec), spec.help]),
    ['--help', 'print this'],
  ]
  sections.push(columns(details))
  sections.push(`Examples:\n${command.examples.map((example) => `  ${example}`).join('\n')}`)
  return sections.join('\n\n')
}

export function usageLine(name: string, command: Command): string {
  const required: string[] = []
  const optional: string[] = []
  for (const [option, spec] of Object.entries(command.options)) {
    if (spec.required) required.push(flag(option, spec))
    else optional.push(`[${flag(option, spec)}]`)
  }
  return ['petstore', name, ...command.arguments.map((argument) => argument.name), ...required, ...optional].join(' ')
}

export const argumentHelp = ({ help, choices }: ArgumentSpec) =>
  choices === undefined ? help : `${help}: ${choices.join(', ')}`

const rows = (table: CommandTable) => columns(Object.entries(table).map(([name, [summary]]) => [name, summary]))

function flag(option: string, spec: OptionSpec): string {
  if (spec.type === 'boolean') return `--${option}`
  return `--${option} ${spec.choices?.join('|') ?? spec.value ?? 'VALUE'}`
}
