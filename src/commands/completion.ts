import { type Command, type CommandTable, defineCommand, UsageError } from './line/command.ts'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import type { CompletedCommand } from './completion/words.ts'
import { zshScript } from './completion/zsh.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** The one command that has to know all the others. */
export function completionCommand(table: CommandTable): { command: Command } {
  const command = defineCommand({
    about: 'Prints a script that lets the shell complete commands, options and their values.',
    arguments: [{ name: 'SHELL', help: 'bash, zsh or fish' }],
    options: {},
    examples: [
      'petstore completion bash > ~/.local/share/bash-completion/completions/petstore',
      'petstore completion zsh > "${fpath[1]}/_petstore"',
      'petstore completion fish > ~/.config/fish/completions/petstore.fish',
    ],
    async run({ arguments: [shell], terminal }) {
      const script = Object.entries(SCRIPTS).find(([name]) => name === shell)?.[1]
      if (!script) throw new UsageError(`"${shell}" must be one of: ${Object.keys(SCRIPTS).join(', ')}.`)
      terminal.print(script(await describe(table)))
    },
  })
  return { command }
}

function describe(table: CommandTable): Promise<CompletedCommand[]> {
  return Promise.all(
    Object.entries(table).map(async ([name, [summary, load]]) => {
      const { options } = (await load()).command
      const described = Object.entries(options).map(([option, { help, choices, type }]) => ({
        flag: `--${option}`,
        help,
        choices,
        takesValue: type === 'string',
      }))
      return { name, summary, options: [...described, HELP] }
    }),
  )
}

const HELP = { flag: '--help', help: 'print help', choices: undefined, takesValue: false }
