import { ConfigError } from './config-error.ts'

export type Environment = Record<string, string | undefined>

/**
 * What is set: an empty text stands for what was left out, as compose files and units write it. Blanks around a text
 * are none of it: a secret that was made of a file ends with a line break.
 */
export function settingsIn(environment: Environment): Environment {
  const settings: Environment = {}
  for (const [name, given] of Object.entries(environment)) {
    const text = name.startsWith('PETSTORE_') || name === 'DATABASE_URL' ? given?.trim() : undefined
    if (!text) continue
    if (text.includes(',') && list(text).length === 0) {
      throw new ConfigError(`${name} is "${text}", but must list something. Leave it out for what it is by itself.`)
    }
    settings[name] = text
  }
  return settings
}

export function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Decimal digits alone; not a number for what only a programming language reads as one, such as 0x10 and 1e3. */
export const wholeNumber = (text: string): number => (/^\d{1,9}$/.test(text) ? Number(text) : NaN)

export function readChoice<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === text)
  if (choice) return choice
  throw new ConfigError(`${name} is "${text}", but must be one of: ${choices.join(', ')}.`)
}
