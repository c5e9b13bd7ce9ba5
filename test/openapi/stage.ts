import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createKey } from '../../src/features/keys/keys.ts'
import { createProject } from '../../src/features/projects/projects.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { TestPetstore } from '../harness/petstore.ts'

/** The key that the tester believes in: on the stage it stands for the key of a project made for one request. */
export const STAGE_KEY = 'stage-key'

export interface Stage extends AsyncDisposable {
  readonly port: number
}

/**
 * Stands between a tester that makes requests up and the service. Ids, cursors and idempotency keys only mean
 * something in a store that holds what they name: every change gets a project of its own, in which that exists, reads
 * share one, and made-up ids and cursors are swapped for real ones. All else, and every answer, passes as it is.
 */
export async function openStage(shop: TestPetstore): Promise<Stage> {
  let projects = 0
  let library: Promise<Room> | undefined
  const server = createServer((incoming, response) => {
    perform(incoming, response).catch((error: Error) => response.writeHead(599).end(error.stack))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }

  async function perform(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const given = { url: incoming.url as string, body: Buffer.concat(await incoming.toArray()).toString() }
    const isStaged = incoming.headers.authorization === `Bearer ${STAGE_KEY}`
    const room = isStaged ? await (incoming.method === 'GET' ? (library ??= openLibrary()) : openRoom()) : undefined
    const { url, body } = room ? await setTheStage(room.props, incoming.method as string, given) : given
    const { port } = shop.config.baseUrl
    const headers = [...headersOf(incoming, room?.key), 'Host', `127.0.0.1:${port}`]
    if (body !== '') headers.push('Content-Length', String(Buffer.byteLength(body)))
    const forwarded = request({ host: '127.0.0.1', port, method: incoming.method, path: url, headers })
    forwarded.end(body)
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
    response.writeHead(answer.statusCode as number, answer.rawHeaders)
    answer.pipe(response)
  }

  async function openRoom(): Promise<Room> {
    const capabilities = { storage: shop.petstore.storage, clock: systemClock }
    const project = await createProject(capabilities, { slug: `stage-${++projects}` })
    const { key } = await createKey(capabilities, project.id, { environment: 'production' })
    return { key, props: propsOf(shop, key) }
  }

  async function openLibrary(): Promise<Room> {
    const { key, props } = await openRoom()
    return { key, props: { ...props, newPet: threeOfEach(props.newPet), newOrder: threeOfEach(props.newOrder) } }
  }
}

/** A project, and what can be put into it. */
interface Room {
  key: string
  props: Props
}

type Make = (status?: string) => Promise<number>

/** Reads change nothing: after the third of a status the last one is found again. */
function threeOfEach(make: Make): Make {
  const made = new Map<string | undefined, Promise<number>[]>()
  return (status) => {
    const ofStatus = made.get(status) ?? []
    made.set(status, ofStatus)
    if (ofStatus.length < 3) ofStatus.push(make(status))
    return ofStatus.at(-1) as Promise<number>
  }
}

interface Given {
  url: string
  body: string
}

async function setTheStage(props: Props, method: string, { url, body }: Given): Promise<Given> {
  const target = new URL(url, 'http://stage')
  switch (`${method} ${target.pathname.replace(/\/\d+$/, '/id')}`) {
    case 'GET /v1/pets':
      await fillList(target, props.newPet, props.linkOf)
      break
    case 'GET /v1/store/orders':
      await fillList(target, props.newOrder, props.linkOf)
      break
    case 'GET /v1/pets/id':
    case 'PATCH /v1/pets/id':
    case 'DELETE /v1/pets/id':
      target.pathname = `/v1/pets/${await props.newPet()}`
      break
    case 'GET /v1/store/orders/id':
    case 'PATCH /v1/store/orders/id':
      target.pathname = `/v1/store/orders/${await props.newOrder()}`
      break
    case 'POST /v1/store/orders':
      return { url, body: body.replace(/("petId"\s*:\s*)\d+(?![\d.eE])/, `$1${await props.newPet()}`) }
  }
  return { url: target.pathname + target.search, body }
}

type Props = ReturnType<typeof propsOf>

/** What a request may need to find in its project. */
function propsOf(shop: TestPetstore, key: string) {
  const call = async (path: string, method = 'GET', body?: unknown) => {
    const answer = await shop.call(path, { method, body, headers: { Authorization: `Bearer ${key}` } })
    if (!answer.ok) throw new Error(`The stage could not be set: ${await answer.text()}`)
    return answer
  }
  const add = async (path: string, body: unknown) =>
    ((await (await call(path, 'POST', body)).json()) as { id: number }).id
  const newPet = (status = 'available') => add('/pets', { name: 'Rex', categoryId: 1, status })
  const newOrder = async (status = 'placed') => {
    const id = await add('/store/orders', { petId: await newPet() })
    if (status !== 'placed') await call(`/store/orders/${id}`, 'PATCH', { status })
    return id
  }
  return { newPet, newOrder, linkOf: async (path: string) => (await call(path)).headers.get('Link') ?? '' }
}

const STATUSES = new Set(['available', 'pending', 'sold', 'placed', 'completed', 'cancelled'])

/** Three entries that match the list's filter; a cursor becomes one that this list has given out. */
async function fillList(list: URL, add: Make, linkOf: Props['linkOf']): Promise<void> {
  const status = list.searchParams.get('status') ?? undefined
  if (status !== undefined && !STATUSES.has(status)) return
  for (let entry = 0; entry < 3; entry++) await add(status)
  if (!list.searchParams.has('cursor')) return
  const path = list.pathname.slice('/v1'.length)
  const link = await linkOf(`${path}?limit=1${status === undefined ? '' : `&status=${status}`}`)
  const next = new URL(/<([^>]+)>; rel="next"/.exec(link)?.[1] as string)
  list.searchParams.set('cursor', next.searchParams.get('cursor') as string)
}

/** As they came, but for the key and made-up validators, and for what belongs to the connection. */
function headersOf({ rawHeaders }: IncomingMessage, key: string | undefined): string[] {
  const headers: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (/^(?:content-length|transfer-encoding|connection|host)$/i.test(name)) continue
    const real = key === undefined ? undefined : { authorization: `Bearer ${key}`, 'if-match': '*' }[name.toLowerCase()]
    headers.push(name, real ?? (rawHeaders[index + 1] as string))
  }
  return headers
}
