import type { Clock } from './clock.ts'
import type { Terminal } from './terminal.ts'

export interface OptionSpec {
  readonly type: 'string' | 'boolean'
  readonly help: string
  /** What stands for the value in the help, such as `SLUG`. */
  readonly value?: string
  readonly choices?: readonly string[]
  readonly required?: true
}

export interface ArgumentSpec {
  readonly name: string
  readonly help: string
  readonly choices?: readonly string[]
}

export type Options = Readonly<Record<string, OptionSpec>>

type ChoiceOf<Spec> = Spec extends { choices: readonly (infer Choice)[] } ? Choice : string

type ValueOf<Spec extends OptionSpec> = Spec['type'] extends 'boolean' ? boolean : ChoiceOf<Spec>

export type Values<Of extends Options> = {
  readonly [Name in keyof Of]: Of[Name] extends { type: 'boolean' } | { required: true }
    ? ValueOf<Of[Name]>
    : ValueOf<Of[Name]> | undefined
}

interface Call<Of extends Options, Arguments extends readonly ArgumentSpec[]> {
  readonly values: Values<Of>
  readonly arguments: { readonly [Index in keyof Arguments]: ChoiceOf<Arguments[Index]> }
  readonly terminal: Terminal
  readonly clock: Clock
}

export interface CommandDefinition<Of extends Options, Arguments extends readonly ArgumentSpec[]> {
  /** One or two sentences for the top of the command's help. */
  readonly about: string
  /** All are required. */
  readonly arguments: Arguments
  readonly options: Of
  readonly examples: readonly string[]
  /** Resolves to the exit code, where nothing means 0. */
  run(call: Call<Of, Arguments>): Promise<number | void>
}

export type Command = CommandDefinition<Options, readonly ArgumentSpec[]>

/** Every command under its words, such as `keys create`, with what it does in a line; loaded when it is called. */
export type CommandTable = Readonly<Record<string, readonly [summary: string, load: LoadCommand]>>

export type LoadCommand = () => Promise<{ command: Command }>

/** A table of commands, and what is said around it. */
export interface Program {
  readonly table: CommandTable
  readonly version: string
  /** Where its settings come from: the end of its help. */
  readonly settings: string
  /** Commands that only the other program has, which runs where the service does. */
  readonly elsewhere: readonly string[]
  sentenceFor(error: unknown): string
}

/** Gives `run` the exact types of the options and arguments that stand beside it. */
export function defineCommand<const Of extends Options, const Arguments extends readonly ArgumentSpec[]>(
  definition: CommandDefinition<Of, Arguments>,
): Command {
  return definition as unknown as Command
}

/** The command was called in a way that cannot be meant: exit code 2. */
export class UsageError extends Error {}

/** The command was understood and could not be done; `message` says why and what to do: exit code 1. */
export class CommandError extends Error {}
