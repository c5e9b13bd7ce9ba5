import { type Command, type CommandTable, defineCommand } from './line/command.ts'
import { bashScript } from './completion/bash.ts'
import { fishScript } from './completion/fish.ts'
import type { CompletedCommand } from './completion/words.ts'
import { zshScript } from './completion/zsh.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }

/** The one command that has to know all the others. */
export function completionCommand(table: CommandTable): { command: Command } {
  const command = defineCommand({
    about: 'Prints a script that lets the shell complete commands, options and their values.',
    arguments: [{ name: 'SHELL', help: 'the shell', choices: ['bash', 'zsh', 'fish'] }],
    options: {},
    examples: [
      'petstore completion bash > ~/.local/share/bash-completion/completions/petstore',
      'petstore completion zsh > "${fpath[1]}/_petstore"',
      'petstore completion fish > ~/.config/fish/completions/petstore.fish',
    ],
    async run({ arguments: [shell], terminal }) {
      terminal.print(SCRIPTS[shell](await describe(table)))
    },
  })
  return { command }
}

function describe(table: CommandTable): Promise<CompletedCommand[]> {
  return Promise.all(
    Object.entries(table).map(async ([name, [summary, load]]) => {
      const { options, arguments: expected } = (await load()).command
      const described = Object.entries(options).map(([option, { help, choices, type }]) => ({
        flag: `--${option}`,
        help,
        choices,
        takesValue: type === 'string',
      }))
      return { name, summary, arguments: expected.map(({ choices }) => choices), options: [...described, HELP] }
    }),
  )
}

const HELP = { flag: '--help', help: 'print help', choices: undefined, takesValue: false }
