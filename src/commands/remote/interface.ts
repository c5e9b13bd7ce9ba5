import { createPetstore, type Int64, type Petstore } from '../../../client/src/client.ts'
import { readInt64 } from '../../../client/src/int64.ts'
import { readConfig } from '../../config.ts'
import type { Environment } from '../../platform/http/operation.ts'
import { CommandError, UsageError } from '../line/command.ts'

/** Options of every command that talks to `/v1` as any other client does. */
export const interfaceOptions = {
  key: { type: 'string', value: 'KEY', help: 'the API key; PETSTORE_KEY where it is not given' },
  url: {
    type: 'string',
    value: 'ADDRESS',
    help: "the base address, ending in /v1; this machine's own where it is not given",
  },
} as const

/** The key says which environment is meant, and so does the address, unless one is given. */
export function connect(values: { key: string | undefined; url: string | undefined }): Petstore {
  const config = readConfig()
  const key = values.key ?? config.apiKey
  if (!key) {
    const mint = 'petstore keys create --project SLUG --environment ENVIRONMENT'
    throw new CommandError(`An API key is needed: pass it with --key or in PETSTORE_KEY. Mint one with: ${mint}`)
  }
  const environment: Environment = key.startsWith('ps_test_') ? 'staging' : 'production'
  const own = environment === 'staging' ? config.stagingUrl : config.baseUrl
  return createPetstore({ key, baseUrl: (values.url ?? own.href).replace(/\/$/, '') })
}

/** A 64-bit integer as people type it. */
export function integerArgument(name: string, text: string): Int64 {
  const integer = readInt64(text)
  if (integer !== undefined) return integer
  throw new CommandError(`${name} is "${text}", but must be an integer.`)
}

export async function take<Item>(items: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const taken: Item[] = []
  if (most <= 0) return taken
  for await (const item of items) if (taken.push(item) === most) break
  return taken
}

export function limitOf(text: string | undefined): number {
  if (text === undefined) return 20
  const limit = Number(text)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new UsageError(`--limit is "${text}", but must be a positive integer.`)
}
