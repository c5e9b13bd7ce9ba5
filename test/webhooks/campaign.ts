import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { verifyWebhook } from '../../client/src/webhooks/webhooks.ts'
import { startServiceProcess, type ServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'

export interface CampaignOptions {
  events: number
  /** Of the service, one after the other. */
  kills: number
  /** On PostgreSQL two instances run, and each is killed in turn. */
  databaseUrl?: string | undefined
}

export interface CampaignReport {
  events: number
  requests: number
  /** Requests beyond the first for a message that was taken. */
  repeated: number
  refused: number
  stalled: number
  seconds: number
}

/** Each is told of one change after the other, so that more of them are done sooner. */
const CHANGES_OF_PET = 4
const PETS_MAX = 500
const CHANGES = ['pending', 'sold', 'available'] as const

/**
 * Animals are added and changed while the receiver fails, stalls and restarts, and while our own instances are killed.
 * In the end every change that was answered has been taken at least once, nothing has that was not made, and what was
 * taken of each animal came in the order of its changes.
 */
export async function runCampaign(options: CampaignOptions): Promise<CampaignReport> {
  const { events, databaseUrl } = options
  const startedAt = performance.now()
  const receiver = await startUnreliableReceiver()
  const database: Record<string, string> =
    databaseUrl === undefined
      ? {}
      : { DATABASE_URL: databaseUrl, PETSTORE_MASTER_KEY: randomBytes(32).toString('base64') }
  const settings = { environment: { PETSTORE_LOG_LEVEL: 'silent', ...database } }
  const services: ServiceProcess[] = [await startServiceProcess(settings)]
  try {
    const first = services[0] as ServiceProcess
    if (databaseUrl !== undefined) services.push(await startServiceProcess({ ...settings, keys: first.keys }))
    receiver.secret = await addEndpoint(first, receiver.url)
    const expected = new Map<number, string[]>()
    const making = makeEvents(services, events, expected)
    const killing = killSome(services, options, receiver)
    await making
    await killing
    receiver.calm()
    const count = () => [...expected.values()].reduce((sum, states) => sum + states.length, 0)
    await untilTaken(receiver, count())
    // Nothing more comes: what was taken is what was made.
    await wait(1000)
    judge(expected, receiver.taken)
    assert.equal(receiver.forged, 0)
    const { requests, refused, stalled } = receiver
    const repeated = receiver.taken.length - receiver.takenIds.size
    return { events: count(), requests, repeated, refused, stalled, seconds: (performance.now() - startedAt) / 1000 }
  } finally {
    for (const service of services) await service[Symbol.asyncDispose]()
    await receiver[Symbol.asyncDispose]()
  }
}

/** Only the first time that a message was taken counts: it may come again at any time. */
function judge(expected: ReadonlyMap<number, string[]>, taken: readonly Taken[]): void {
  const seen = new Set<string>()
  const byPet = new Map<number, string[]>()
  for (const { id, pet, what } of taken) {
    if (seen.has(id)) continue
    seen.add(id)
    byPet.set(pet, [...(byPet.get(pet) ?? []), what])
  }
  assert.deepEqual(new Set(byPet.keys()), new Set(expected.keys()))
  for (const [pet, states] of expected) assert.deepEqual(byPet.get(pet), states, `animal ${pet}`)
}

/** An answer that was lost says nothing: the animal is asked what it is, and goes on from there. */
async function makeEvents(services: ServiceProcess[], events: number, expected: Map<number, string[]>): Promise<void> {
  const ids: number[] = []
  let made = 0
  const service = () => services[made % services.length] as ServiceProcess
  for (let at = 0; at < Math.min(PETS_MAX, Math.ceil(events / CHANGES_OF_PET)); at++) {
    const pet = await insist(async () => {
      const headers = { 'Idempotency-Key': `campaign-${at}` }
      const answer = await service().call('/pets', {
        method: 'POST',
        body: { name: `P${at}`, categoryId: at },
        headers,
      })
      assert.equal(answer.status, 201)
      return (await answer.json()) as { id: number }
    })
    ids.push(pet.id)
    expected.set(pet.id, ['pet.created available'])
    made++
  }
  const lane = async (own: readonly number[]) => {
    for (let turn = 0; made < events; turn++) {
      const id = own[turn % own.length] as number
      made++
      const states = expected.get(id) as string[]
      const status = CHANGES[(states.length - 1) % CHANGES.length] as string
      await insist(async () => {
        const now = (await (await service().call(`/pets?id=${id}`)).json()) as { status: string }[]
        if (now[0]?.status !== status) {
          const answer = await service().call(`/pets/${id}`, { method: 'PATCH', body: { status } })
          assert.equal(answer.status, 200)
        }
      })
      states.push(`pet.updated ${status}`)
    }
  }
  const lanes = 8
  await Promise.all(Array.from({ length: lanes }, (_, at) => lane(ids.filter((_id, index) => index % lanes === at))))
}

async function insist<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work()
    } catch {
      await wait(100)
    }
  }
}

/** Spread over the time that it takes. */
async function killSome(
  services: ServiceProcess[],
  { events, kills }: CampaignOptions,
  receiver: UnreliableReceiver,
): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    const share = (events * (kill + 1)) / (kills + 2)
    await untilTaken(receiver, share)
    await (services[kill % services.length] as ServiceProcess).restart()
    await receiver.restart()
  }
}

/** However long that takes, as long as some more is taken from time to time. */
async function untilTaken({ takenIds }: UnreliableReceiver, count: number): Promise<void> {
  while (takenIds.size < count) {
    const before = takenIds.size
    await until('some more is taken', () => takenIds.size > before)
  }
}

interface Taken {
  id: string
  pet: number
  what: string
}

interface UnreliableReceiver extends AsyncDisposable {
  readonly url: string
  secret: string
  readonly taken: Taken[]
  readonly takenIds: ReadonlySet<string>
  requests: number
  refused: number
  stalled: number
  /** Requests whose signature does not fit. */
  forged: number
  /** Takes everything from now on. */
  calm(): void
  restart(): Promise<void>
}

/** Of hundred requests it refuses ten, stalls on one, and takes the rest. */
async function startUnreliableReceiver(): Promise<UnreliableReceiver> {
  const takenIds = new Set<string>()
  const stalledAnswers = new Set<ServerResponse>()
  let isCalm = false
  let port = 0
  let server: Server | undefined
  const tries = new Map<string, number>()

  const receive = async (headers: Record<string, string>, body: string, response: ServerResponse) => {
    receiver.requests++
    const id = headers['webhook-id'] as string
    const attempt = (tries.get(id) ?? 0) + 1
    tries.set(id, attempt)
    const event = await verifyWebhook(receiver.secret, headers, body).catch(() => undefined)
    if (!event || !event.type.startsWith('pet.')) {
      receiver.forged++
      return response.writeHead(400).end()
    }
    const chance = createHash('sha256').update(`${id} ${attempt}`).digest()[0] as number
    // Twice at most: of ten thousand one would be refused four times, and then waited for ten minutes.
    const isRough = !isCalm && attempt <= 2
    if (isRough && chance < 26) {
      receiver.refused++
      return response.writeHead(chance % 2 === 0 ? 500 : 429).end('not now')
    }
    if (isRough && chance < 28) {
      receiver.stalled++
      return stalledAnswers.add(response)
    }
    const { id: pet, status } = event.data as { id: number; status: string }
    receiver.taken.push({ id, pet, what: `${event.type} ${status}` })
    takenIds.add(id)
    return response.writeHead(204).end()
  }

  const open = async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('error', () => {})
      request.on('end', () => {
        void receive(request.headers as Record<string, string>, Buffer.concat(parts).toString('utf8'), response)
      })
    })
    await new Promise<void>((resolve) => (server as Server).listen(port, '127.0.0.1', resolve))
    port = (server.address() as AddressInfo).port
  }
  const close = async () => {
    server?.closeAllConnections()
    await new Promise((resolve) => (server as Server).close(resolve))
  }

  await open()
  const receiver: UnreliableReceiver = {
    url: `http://127.0.0.1:${port}/hooks`,
    secret: '',
    taken: [],
    takenIds,
    requests: 0,
    refused: 0,
    stalled: 0,
    forged: 0,
    calm() {
      isCalm = true
      for (const answer of stalledAnswers) answer.destroy()
    },
    async restart() {
      await close()
      await open()
    },
    [Symbol.asyncDispose]: close,
  }
  return receiver
}

/** By a token of somebody who signs up with the link of the first start. */
async function addEndpoint(service: ServiceProcess, url: string): Promise<string> {
  const origin = `http://localhost:${service.productionPort}`
  const at = `http://127.0.0.1:${service.productionPort}/platform/v1`
  const headers = { 'Content-Type': 'application/json', Origin: origin, Host: `localhost:${service.productionPort}` }
  const token = /#(\S+)/.exec(service.stdout)?.[1]
  const account = { token, email: 'olga@example.com', name: 'Olga', password: 'correct horse battery' }
  const signedUp = await fetch(`${at}/sign-up`, { method: 'POST', headers, body: JSON.stringify(account) })
  assert.equal(signedUp.status, 201, await signedUp.clone().text())
  const Cookie = signedUp.headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0])
    .join('; ')
  const body = JSON.stringify({ url, events: ['pet.created', 'pet.updated', 'pet.deleted'] })
  const created = await fetch(`${at}/projects/petstore/webhooks`, {
    method: 'POST',
    headers: { ...headers, Cookie },
    body,
  })
  assert.equal(created.status, 201, await created.clone().text())
  return ((await created.json()) as { secret: string }).secret
}
