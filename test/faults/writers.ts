import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceProcess } from '../harness/service-process.ts'

export interface Animal {
  id: bigint
  name: string
  categoryId: bigint
  status: string
}

/** One animal that a client wants to add, and what the client knows of it: kept outside the service. */
export interface Attempt {
  readonly animal: Omit<Animal, 'id'>
  readonly idempotencyKey: string | undefined
  /** Known once a 201 has arrived. */
  id?: bigint
  /** The service said that nothing was changed. */
  refused?: true
}

export interface Writers extends AsyncDisposable {
  readonly attempts: readonly Attempt[]
  /** Answers other than 201, 409 for a key that is still running, and 503. */
  readonly unexpected: readonly string[]
  readonly refusals: number
  /** Lets every attempt with an idempotency key succeed first. */
  finish(): Promise<void>
}

const STATUSES = ['available', 'pending', 'sold']
/** Below the limits of the tests: how long a database takes to come back is the machine's affair. */
const HUNG_AFTER_MS = 150_000

/**
 * Clients that add animals without a pause, whatever happens to the service. Every second one uses idempotency
 * keys and sends a request again, with the same key, until it is answered.
 */
export function startWriters(service: Pick<ServiceProcess, 'call'>, count: number): Writers {
  const attempts: Attempt[] = []
  const unexpected: string[] = []
  let refusals = 0
  const end = { wanted: false, deadline: Infinity }
  const clients = Array.from({ length: count }, (_, index) => client(index % 2 === 0))

  return {
    attempts,
    unexpected,
    get refusals() {
      return refusals
    },
    async finish() {
      end.wanted = true
      end.deadline = performance.now() + HUNG_AFTER_MS
      await Promise.all(clients)
    },
    async [Symbol.asyncDispose]() {
      end.wanted = true
      end.deadline = 0
      await Promise.all(clients)
    },
  }

  async function client(withKey: boolean): Promise<void> {
    while (!end.wanted) {
      const attempt: Attempt = { animal: someAnimal(), idempotencyKey: withKey ? randomUUID() : undefined }
      attempts.push(attempt)
      const mayRepeat = () => withKey && performance.now() < end.deadline
      let known = await send(attempt)
      while (!known && mayRepeat()) known = await send(attempt)
    }
  }

  /** True when the client knows what became of the animal. */
  async function send(attempt: Attempt): Promise<boolean> {
    try {
      const response = await addAnimal(service, attempt)
      const text = await response.text()
      if (response.status === 201) {
        attempt.id = (exactJson(text) as Animal).id
        return true
      }
      if (response.status === 503) {
        refusals++
        if (text.includes('Nothing was changed')) attempt.refused = true
      } else if (response.status !== 409 || attempt.idempotencyKey === undefined) {
        unexpected.push(`${response.status} ${text}`)
      }
    } catch {
      // The connection broke, or there was none: the animal may have been added or not.
    }
    await wait(50)
    return false
  }
}

export function addAnimal(
  service: Pick<ServiceProcess, 'call'>,
  { animal, idempotencyKey }: Attempt,
): Promise<Response> {
  const { name, categoryId, status } = animal
  const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }
  const body = `{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`
  return service.call('/pets', { method: 'POST', body, headers })
}

export function someAnimal(): Omit<Animal, 'id'> {
  const sign = randomInt(2) === 0 ? -1n : 1n
  const categoryId = sign * BigInt(`0x${randomUUID().replaceAll('-', '').slice(0, 15)}`)
  return { name: `Rex Žofka 🐶 ${randomUUID()}`, categoryId, status: STATUSES[randomInt(3)] as string }
}

/** The whole list, page by page as a client walks it. */
export async function allAnimals(service: Pick<ServiceProcess, 'call'>): Promise<Animal[]> {
  const animals: Animal[] = []
  let path: string | undefined = '/pets?limit=100'
  while (path !== undefined) {
    const response = await service.call(path)
    const text = await response.text()
    assert.equal(response.status, 200, text)
    animals.push(...(exactJson(text) as Animal[]))
    path = /<[^>]*\/v1([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
  }
  return animals
}

/** Every acknowledged animal is there once and unchanged; every other one at most once, and no stranger. */
export function assertNothingLostOrInvented(attempts: readonly Attempt[], animals: readonly Animal[]): void {
  const stored = new Map<string, Animal>()
  let lastId = 0n
  for (const animal of animals) {
    assert.ok(animal.id > lastId, `animal ${animal.id} is listed after ${lastId}`)
    assert.ok(!stored.has(animal.name), `animal ${animal.id} is a twin of ${stored.get(animal.name)?.id}`)
    lastId = animal.id
    stored.set(animal.name, animal)
  }
  for (const { animal, id, refused, idempotencyKey } of attempts) {
    const found = stored.get(animal.name)
    stored.delete(animal.name)
    if (id !== undefined) assert.deepEqual(found, { ...animal, id })
    else if (found) assert.deepEqual(found, { ...animal, id: found.id })
    if (id === undefined && refused && idempotencyKey === undefined)
      assert.equal(found, undefined, 'a refused animal was added')
  }
  assert.equal(stored.size, 0, 'there are animals that nobody added')
}

export function exactJson(text: string): unknown {
  return JSON.parse(text, exactIntegers)
}

function exactIntegers(_key: string, value: unknown, context?: { source?: string }): unknown {
  return typeof value === 'number' && context?.source !== undefined ? BigInt(context.source) : value
}
