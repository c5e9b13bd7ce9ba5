import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { commands } from '../src/commands/command-table.ts'
import type { Command, OptionSpec } from '../src/commands/line/command.ts'
import { usageLine } from '../src/commands/line/help.ts'

/** Writes docs/reference/commands.md from the table of commands, or with `--check` says whether it is up to date. */
export const COMMANDS_FILE = fileURLToPath(new URL('../docs/reference/commands.md', import.meta.url))

const INTRODUCTION = `# Commands

Every command of \`petstore\`, with its options and examples. \`petstore COMMAND --help\` says the same in a terminal.

<!-- Written by \`npm run docs:commands\` from src/commands: change the commands, not this page. -->

In a checkout, write \`npx petstore\`. A command ends with 0 when it is done, with 1 when it could not be done, and with
2 when it was called wrongly; it says why on standard error. \`--json\` prints one JSON document. Settings are
environment variables: see [operating](../operating.md#running).
`

export async function commandsPage(): Promise<string> {
  const loaded = await Promise.all(
    Object.entries(commands).map(async ([name, [summary, load]]) => ({ name, summary, ...(await load()) })),
  )
  const rows = loaded.map(
    ({ name, summary }) => `| [\`${name}\`](#petstore-${name.replaceAll(' ', '-')}) | ${summary} |`,
  )
  const sections = loaded.map(({ name, command }) => section(name, command))
  return [INTRODUCTION, `| command | |\n|---|---|\n${rows.join('\n')}\n`, ...sections].join('\n')
}

function section(name: string, command: Command): string {
  const rows = [
    ...command.arguments.map(({ name: argument, help }) => [argument, help]),
    ...Object.entries(command.options).map(([option, spec]) => [flag(option, spec), meaning(spec)]),
  ].map(([what, help]) => `| \`${what}\` | ${help?.replaceAll('|', '\\|')} |`)
  const table = rows.length === 0 ? '' : `\n| | |\n|---|---|\n${rows.join('\n')}\n`
  const about = command.about.replaceAll('\n', ' ')
  const examples = command.examples.join('\n')
  const usage = fenced('text', usageLine(name, command))
  return `## petstore ${name}\n\n${about}\n\n${usage}${table}\n${fenced('sh', examples)}`
}

const fenced = (language: string, text: string) => `\`\`\`${language}\n${text}\n\`\`\`\n`

function flag(option: string, { type, value = 'VALUE', choices }: OptionSpec): string {
  if (type === 'boolean') return `--${option}`
  return `--${option} ${choices === undefined ? value : choices.join('\\|')}`
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
