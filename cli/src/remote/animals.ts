import { createPetstore } from '../../../client/src/client.ts'
import { readInt64 } from '../../../client/src/int64.ts'
import type {
  Environment,
  Int64,
  NewOrder,
  NewPet,
  Order,
  OrderFilter,
  OrderPatch,
  Pet,
  PetFilter,
  PetPatch,
} from '../../../client/src/platform/platform.ts'
import { CommandError, UsageError } from '../line/command.ts'
import { environment, project } from '../line/options.ts'
import { settings } from '../settings.ts'
import { itemsOf } from './items-of.ts'
import { nextCommand, openServer, originOf, type Server, serverOptions } from './server.ts'

/** Options of every command about animals and orders. */
export const animalsOptions = {
  key: { type: 'string', value: 'KEY', help: 'an API key; PETSTORE_KEY where neither it nor a project is given' },
  project: { ...project, help: 'instead of a key: the project, in which whoever is signed in, or a token, needs none' },
  environment: { ...environment, help: "of that project, production unless told; with a key none but the key's own" },
  ...serverOptions,
} as const

interface Wanted {
  key: string | undefined
  project: string | undefined
  environment: Environment | undefined
  server: string | undefined
}

/** What the commands use of the client. */
interface Animals {
  pets: {
    list(filter: PetFilter & { limit: number }): AsyncIterable<Pet>
    create(pet: NewPet): Promise<Pet>
    update(id: Int64, patch: PetPatch): Promise<Pet>
    delete(id: Int64): Promise<void>
  }
  orders: {
    list(filter: OrderFilter & { limit: number }): AsyncIterable<Order>
    create(order: NewOrder): Promise<Order>
    update(id: Int64, patch: OrderPatch): Promise<Order>
  }
}

/** By an API key at `/v1`, as any other client, or in a project as whoever is signed in, or by a token. */
export async function openAnimals(values: Wanted): Promise<Animals> {
  // A project that is named is meant, also where a key happens to be set.
  const key = values.key ?? (values.project === undefined ? settings().apiKey : undefined)
  if (key !== undefined) {
    requireFitting(values, key)
    return createPetstore({ key, baseUrl: await baseUrlFor(key, originOf(values)) })
  }
  if (values.project === undefined) {
    throw new CommandError(
      'An API key is needed, with --key or in PETSTORE_KEY, or a project in which you need none, with --project.\n' +
        `Mint a key with: ${nextCommand(values, 'keys create --project SLUG --environment ENVIRONMENT')}`,
    )
  }
  return animalsOf(openServer(values), { project: values.project, environment: values.environment ?? 'production' })
}

/** A key is of one project and one environment: whoever names another would change animals that they do not mean. */
function requireFitting({ key: given, project, environment }: Wanted, key: string): void {
  if (project !== undefined) {
    throw new UsageError('--key and --project exclude each other: a key is of one project already. Leave one out.')
  }
  const own = environmentOf(key)
  if (environment === undefined || environment === own) return
  const name = given === undefined ? 'PETSTORE_KEY' : '--key'
  throw new UsageError(
    `--environment is ${environment}, but the key in ${name} is of ${own}. Leave --environment out, ` +
      `or give a key of ${environment} with --key, or the project with --project and no --key.`,
  )
}

const environmentOf = (key: string): Environment => (key.startsWith('ps_test_') ? 'staging' : 'production')

/** The two environments have addresses of their own; the server names both in its document. */
async function baseUrlFor(key: string, origin: string): Promise<string> {
  const production = `${origin}/v1`
  if (environmentOf(key) === 'production') return production
  try {
    const document = (await (await fetch(`${production}/openapi.json`)).json()) as OpenApi
    return document.servers.find(({ description }) => description === 'Staging')?.url ?? production
  } catch (cause) {
    throw new CommandError(`${origin} cannot be reached. Check the address and that the server runs.`, { cause })
  }
}

interface OpenApi {
  servers: { url: string; description: string }[]
}

const BELOW = '/projects/{project}/environments/{environment}'

function animalsOf({ call, page }: Server, of: { project: string; environment: Environment }): Animals {
  return {
    pets: {
      list: (filter) => itemsOf<Pet>(filter, (query) => page(`GET ${BELOW}/pets`, { ...of, query })),
      create: (body) => call(`POST ${BELOW}/pets`, { ...of, body }),
      update: (petId, body) => call(`PATCH ${BELOW}/pets/{petId}`, { ...of, petId, body }),
      delete: (petId) => call(`DELETE ${BELOW}/pets/{petId}`, { ...of, petId }),
    },
    orders: {
      list: (filter) => itemsOf<Order>(filter, (query) => page(`GET ${BELOW}/store/orders`, { ...of, query })),
      create: (body) => call(`POST ${BELOW}/store/orders`, { ...of, body }),
      update: (orderId, body) => call(`PATCH ${BELOW}/store/orders/{orderId}`, { ...of, orderId, body }),
    },
  }
}

/** A 64-bit integer as people type it. */
export function integerArgument(name: string, text: string): Int64 {
  const integer = readInt64(text)
  if (integer !== undefined) return integer
  throw new UsageError(`${name} is "${text}", but must be an integer.`)
}

export async function take<Item>(items: AsyncIterable<Item>, most: number): Promise<Item[]> {
  const taken: Item[] = []
  for await (const item of items) if (taken.push(item) === most) break
  return taken
}

export function limitOf(text: string | undefined): number {
  const limit = Number(text ?? 20)
  if (Number.isInteger(limit) && limit > 0) return limit
  throw new UsageError(`--limit is "${text}", but must be a positive integer.`)
}
