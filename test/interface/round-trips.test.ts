import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { openShop, type Shop, type Tenant } from './shop.ts'

let server: PostgresDatabases
let wire: Wire
let shop: Shop
let tenant: Tenant
const ids: number[] = []
before(async () => {
  server = await openPostgres()
  wire = await watchWire(server.port)
  const url = new URL(await server.createSchema())
  url.port = String(wire.port)
  shop = await openShop({ databaseUrl: url.href })
  tenant = await shop.tenant()
  for (let count = 0; count < 40; count++) {
    const { json } = await tenant.post('/pets', { name: `Rex ${count}`, categoryId: 1 })
    ids.push((json as { id: number }).id)
  }
  // What is asked for the first time on a connection is named first, and connections are opened by need.
  for (let times = 0; times < 2; times++) await Promise.all(ids.map((id) => tenant.get(`/pets/${id}`)))
  await Promise.all([1, 2, 3, 4].map((limit) => tenant.get(`/pets?limit=${limit}`)))
})
after(async () => {
  await shop?.[Symbol.asyncDispose]()
  wire?.[Symbol.dispose]()
  await server?.[Symbol.asyncDispose]()
})

test('an animal and a list are one round trip each', async () => {
  for (const [path, value] of [
    [`/pets/${ids[30]}`, String(ids[30])],
    ['/pets?limit=37', '37'],
  ] as const) {
    const messages = await wire.during(() => tenant.get(path))
    const asked = messages.filter(({ type, bytes }) => type === 'B' && bytes.includes(bound(value)))
    assert.equal(asked.length, 1, path)
    const { connection } = asked[0] as Message
    const [first, ...rest] = messages.filter((message) => message.connection === connection)
    assert.deepEqual([first?.type, ...rest.slice(0, 3).map(({ type }) => type)], ['B', 'D', 'E', 'S'], path)
  }
})

test('reads wait for no answer of others: forty are on their way at once', async () => {
  wire.holdAnswers()
  const answers = ids.map((id) => tenant.get(`/pets/${id}`))
  const asked = () => wire.messages.filter(({ type, bytes }) => type === 'B' && bytes.includes('petstore_'))
  await until('every read is on its way', () => {
    const values = ids.filter((id) => asked().some(({ bytes }) => bytes.includes(bound(String(id)))))
    return values.length === ids.length
  })
  wire.releaseAnswers()
  const found = await Promise.all(answers)
  assert.deepEqual(
    found.map(({ json }) => (json as { id: number }).id),
    ids,
  )
})

/** A parameter as it travels: its length and its text. */
function bound(value: string): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(value.length)
  return Buffer.concat([length, Buffer.from(value)])
}

interface Message {
  connection: Socket
  type: string
  bytes: Buffer
}

interface Wire extends Disposable {
  readonly port: number
  /** What the service has said since the last look, message by message. */
  readonly messages: readonly Message[]
  during(work: () => Promise<unknown>): Promise<readonly Message[]>
  /**
   * From the first values on that a connection is asked with. What opens one has none: the pool closes those that were
   * idle, and a read on a new one is under way only when its greetings are answered.
   */
  holdAnswers(): void
  releaseAnswers(): void
}

/** Stands between the service and PostgreSQL and reads along. */
async function watchWire(serverPort: number): Promise<Wire> {
  let messages: Message[] = []
  let isHeld = false
  const answering = new Set<Socket>()
  const hear = (message: Message, far: Socket) => {
    messages.push(message)
    if (isHeld && message.type === 'B') far.pause()
  }
  const listener = createServer((near) => {
    const far = connect(serverPort, '127.0.0.1')
    answering.add(far)
    let rest = Buffer.alloc(0)
    let hasBegun = false
    near.on('data', (chunk: Buffer) => {
      far.write(chunk)
      rest = Buffer.concat([rest, chunk])
      // The first message of a connection has a length and no type.
      for (let head = hasBegun ? 1 : 0; rest.length >= head + 4; head = 1) {
        const end = head + rest.readInt32BE(head)
        if (rest.length < end) break
        if (hasBegun) hear({ connection: near, type: String(rest.subarray(0, 1)), bytes: rest.subarray(0, end) }, far)
        hasBegun = true
        rest = rest.subarray(end)
      }
    })
    far.on('data', (chunk: Buffer) => near.write(chunk))
    far.on('close', () => answering.delete(far)).on('error', () => near.destroy())
    near.on('close', () => far.destroy()).on('error', () => {})
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  return {
    port: (listener.address() as AddressInfo).port,
    get messages() {
      return messages
    },
    async during(work) {
      messages = []
      await work()
      return messages
    },
    holdAnswers() {
      messages = []
      isHeld = true
    },
    releaseAnswers() {
      isHeld = false
      for (const far of answering) far.resume()
    },
    [Symbol.dispose]: () => void listener.close(),
  }
}
