import { ConfigError } from './config-error.ts'

export type Environment = Record<string, string | undefined>

/** What is set: an empty text stands for what was left out, as compose files and units write it. */
export function settingsIn(environment: Environment): Environment {
  const isSet = ([name, text]: [string, string | undefined]) => {
    const isOurs = name.startsWith('PETSTORE_') || name === 'DATABASE_URL'
    if (isOurs && text?.includes(',') && list(text).length === 0) {
      throw new ConfigError(`${name} is "${text}", but must list something. Leave it out for what it is by itself.`)
    }
    return isOurs && text?.trim()
  }
  return Object.fromEntries(Object.entries(environment).filter(isSet))
}

export function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}
