import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { networkCommands } from '../cli/src/command-table.ts'
import type { Command, OptionSpec } from '../cli/src/line/command.ts'
import { argumentHelp, usageLine } from '../cli/src/line/help.ts'
import { commands } from '../src/commands/command-table.ts'

/** Writes docs/reference/commands.md from the table of commands, or with `--check` says whether it is up to date. */
export const COMMANDS_FILE = fileURLToPath(new URL('../docs/reference/commands.md', import.meta.url))

const INTRODUCTION = `# Commands

Every command of \`petstore\`, with its options and examples. \`petstore COMMAND --help\` says the same in a terminal.

<!-- Written by \`npm run docs:commands\` from cli/src and src/commands: change the commands, not this page. -->

[The package petstore-cli](../../cli/README.md) has those that talk to a server; it says how they find it, and what exit
codes mean. In a checkout of the service, write \`npx petstore\`: it has all of them, and those marked \`*\` act on the
database or the machine of the service, for which settings are environment variables: see
[operating](../operating.md#running). \`--json\` prints one JSON document.
`

export async function commandsPage(): Promise<string> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, [summary, load]]) => ({ name, summary, ...(await load()) })),
  )
  const rows = loaded.map(
    ({ name, summary }) => `| [\`${name}\`](#petstore-${name.replaceAll(' ', '-')})${mark(name)} | ${summary} |`,
  )
  const sections = loaded.map(({ name, command }) => section(name, command))
  return [INTRODUCTION, `| command | |\n|---|---|\n${rows.join('\n')}\n`, ...sections].join('\n')
}

function section(name: string, command: Command): string {
  const rows = [
    ...command.arguments.map((argument) => [argument.name, argumentHelp(argument)]),
    ...Object.entries(command.options).map(([option, spec]) => [flag(option, spec), meaning(spec)]),
  ]
    .map((cells) => cells.map((cell = '') => cell.replaceAll('|', '\\|')))
    .map(([what, help]) => `| \`${what}\` | ${help} |`)
  const table = rows.length === 0 ? '' : `\n| | |\n|---|---|\n${rows.join('\n')}\n`
  const about = command.about.replaceAll('\n', ' ')
  const examples = command.examples.join('\n')
  const usage = fenced('text', usageLine(name, command))
  return `## petstore ${name}\n\n${about}\n\n${usage}${table}\n${fenced('sh', examples)}`
}

/** What the installed command line does not have. */
const mark = (name: string) => (name === 'completion' || Object.hasOwn(networkCommands, name) ? '' : ' \\*')

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`

function flag(option: string, { type, value = 'VALUE', choices }: OptionSpec): string {
  if (type === 'boolean') return `--${option}`
  return `--${option} ${choices === undefined ? value : choices.join('|')}`
}

const meaning = ({ help, required }: OptionSpec) => (required ? `${help}; required` : help)

if (import.meta.main) {
  const wanted = await commandsPage()
  if (!process.argv.includes('--check')) writeFileSync(COMMANDS_FILE, wanted)
  else if (readFileSync(COMMANDS_FILE, 'utf8') !== wanted) {
    console.error('docs/reference/commands.md is not what the commands say: run npm run docs:commands.')
    process.exitCode = 1
  }
}
