import { parseArgs } from 'node:util'
import { inWords } from './choices.ts'
import { closest } from './closest.ts'
import { systemClock } from './clock.ts'
import { type Command, type CommandTable, type Options, type Program, UsageError } from './command.ts'
import { commandHelp, groupHelp, overview, title, usageLine } from './help.ts'
import { processTerminal, type Terminal } from './terminal.ts'

/** Runs one command and resolves to the exit code: 0 done, 1 could not be done, 2 called wrongly. */
export async function runCommandLine(program: Program, args: string[]): Promise<number> {
  const terminal = processTerminal()
  try {
    return await dispatch(program, args, terminal)
  } catch (error) {
    terminal.status('')
    terminal.note(program.sentenceFor(error))
    return error instanceof UsageError ? 2 : 1
  }
}

async function dispatch(program: Program, given: string[], terminal: Terminal): Promise<number> {
  const { table, version } = program
  const [first] = given
  if (first === '--version' || first === '-v') return said(terminal, version)
  if (first === '--help' || first === '-h') return said(terminal, `${title(program)}\n\n${overview(program)}`)
  const args = first === 'help' ? [...given.slice(1), '--help'] : given

  const { name, rest } = findCommand(table, args)
  const wantsHelp = rest.some((arg) => arg === '--help' || arg === '-h')
  const entry = Object.hasOwn(table, name) ? table[name] : undefined
  if (!entry) {
    const group = groupHelp(table, wordsOf(args).join(' '))
    if (wantsHelp && (group || name === '')) return said(terminal, group ?? overview(program))
    throw unknownCommand(program, args)
  }
  const { command } = await entry[1]()
  if (wantsHelp) return said(terminal, commandHelp(name, command))
  return (await command.run({ ...parse(name, command, rest), terminal, clock: systemClock })) ?? 0
}

function said(terminal: Terminal, text: string): number {
  terminal.print(text)
  return 0
}

/** What stands in front of the first option. */
function wordsOf(args: string[]): string[] {
  const flag = args.findIndex((arg) => arg.startsWith('-'))
  return flag === -1 ? args : args.slice(0, flag)
}

/** A command is one to three words; what the table does not know is left as its name. */
function findCommand(table: CommandTable, args: string[]): { name: string; rest: string[] } {
  const words = wordsOf(args)
  for (const count of [3, 2, 1]) {
    const name = words.slice(0, count).join(' ')
    if (words.length >= count && Object.hasOwn(table, name)) return { name, rest: args.slice(count) }
  }
  const name = words[0] ?? ''
  return { name, rest: name === '' ? args : args.slice(1) }
}

/** Word by word: what can follow the words that are right, and which of that was most likely meant. */
function unknownCommand(program: Program, args: string[]): UsageError {
  const { table, elsewhere } = program
  const [first = ''] = args
  if (first === '') return new UsageError(overview(program))
  if (first.startsWith('-')) return new UsageError(`Put the command first, then ${first}.\n\n${overview(program)}`)
  const typed = wordsOf(args)
  const there = elsewhere.find((name) => `${typed.join(' ')} `.startsWith(`${name} `))
  if (there !== undefined) {
    return new UsageError(
      `petstore ${there} runs where the service is installed: npx petstore ${there}, in its checkout.`,
    )
  }
  const right: string[] = []
  for (const word of typed) {
    const next = wordsAfter(table, right)
    if (next.length === 0) break
    const meant = next.includes(word) ? word : closest(word, next)
    if (meant === undefined) return noSuchWord(table, right, word)
    right.push(meant)
  }
  const name = right.join(' ')
  const asTyped = typed.slice(0, right.length).join(' ')
  const group = Object.hasOwn(table, name) ? '' : `\n\n${groupHelp(table, name)}`
  if (asTyped === name) return new UsageError(`petstore ${name} needs one word more.${group}`)
  return new UsageError(`petstore has no command "${asTyped}". Did you mean: petstore ${name}${group}`)
}

function noSuchWord(table: CommandTable, right: readonly string[], word: string): UsageError {
  if (right.length === 0) {
    return new UsageError(`petstore has no command "${word}". List the commands with: petstore --help`)
  }
  const name = right.join(' ')
  return new UsageError(`petstore ${name} has no command "${word}".\n\n${groupHelp(table, name)}`)
}

/** The words that can follow these. */
function wordsAfter(table: CommandTable, right: readonly string[]): string[] {
  const known = Object.keys(table).map((name) => name.split(' '))
  const fitting = known.filter((words) => right.every((word, index) => words[index] === word))
  return [...new Set(fitting.flatMap((words) => words[right.length] ?? []))]
}

function parse(name: string, command: Command, args: string[]) {
  const { values, positionals } = parseStrictly(name, command, args)
  const { options, arguments: expected } = command
  const complain = (message: string) => new UsageError(`${message}\n\nUsage: ${usageLine(name, command)}`)
  const check = (what: string, value: string, choices: readonly string[] | undefined) => {
    if (!choices || choices.includes(value)) return
    const meant = closest(value, choices)
    throw complain(`${what} is "${value}", but must be ${inWords(choices)}.${meant ? ` Did you mean ${meant}?` : ''}`)
  }

  const surplus = positionals[expected.length]
  if (surplus !== undefined) throw complain(`"${surplus}" is one argument too many.`)
  const missing = expected[positionals.length]
  if (missing) throw complain(`${missing.name} is missing: ${missing.help}.`)
  for (const [index, { name: argument, choices }] of expected.entries()) {
    check(argument, positionals[index] as string, choices)
  }
  for (const [option, spec] of Object.entries(options)) {
    const value = values[option]
    if (value === undefined && spec.required) throw complain(`--${option} is missing: ${spec.help}.`)
    if (value !== undefined) check(`--${option}`, String(value), spec.choices)
  }
  return { values: values as never, arguments: positionals as never }
}

function parseStrictly(name: string, command: Command, args: string[]) {
  try {
    return parseArgs({ args, options: withDefaults(command.options), allowPositionals: true, strict: true })
  } catch (error) {
    const { code, message } = error as { code?: string; message: string }
    if (!code?.startsWith('ERR_PARSE_ARGS')) throw error
    const flag = /'(?:-\w, )?--([^' =]+)/.exec(message)?.[1]
    const unknown = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION'
    const meant = unknown && flag ? closest(flag, Object.keys(command.options)) : undefined
    const hint = meant ? `Did you mean --${meant}?` : `See: petstore ${name} --help`
    throw new UsageError(`petstore ${name}: ${firstSentence(message)} ${hint}\n\nUsage: ${usageLine(name, command)}`)
  }
}

/** A flag that is not given is false, so that a command never has to ask twice. */
function withDefaults(options: Options) {
  const config: Record<string, { type: 'string' | 'boolean'; default?: boolean }> = {}
  for (const [option, { type }] of Object.entries(options)) {
    config[option] = type === 'boolean' ? { type, default: false } : { type }
  }
  return config
}

const firstSentence = (message: string) => `${message.split('. ')[0]?.replace(/\.$/, '')}.`
