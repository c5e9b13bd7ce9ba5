import type { Random } from '../campaign/random.ts'
import { siteParts, tarBytes, zipBytes } from '../deploys/archive-bytes.ts'
import type { House, Person } from '../platform-api/house.ts'
import type { Part } from './front-door.ts'
import { bytesOf } from './hostile-requests.ts'
import { hostileInput } from './mutate.ts'
import { nearlyGoodBody, oddBody } from './odd-bodies.ts'
import { sayTo, statusesIn } from './wire.ts'

/** Every route of the dashboard by somebody who is signed in and may do everything, with what nobody would send. */
export async function dashboardPart(house: House): Promise<Part> {
  const { baseUrl } = house.shop.config
  // A stream of events goes on for as long as somebody listens: test/platform-api/events.test.ts has it.
  const ending = house.shop.petstore.dashboardRoutes.filter(({ events }) => !events)
  const archives = [zipBytes(siteParts), tarBytes(siteParts)]
  /** Names and ids that answers have shown. */
  let known = ['kennel-1', 'www.shop.example', 'my-shop.test', '1']
  let { slug, owner } = await newProject()

  /** The newest of each that an answer has shown: without them no second step and no link is ever reached. */
  const secrets: Record<string, string> = {}

  /** On a plan with domains, so that they are reached. */
  async function newProject() {
    const project = await house.project()
    await house.operator.browser.put(`/operator/projects/${project.slug}/plan`, { plan: 'pro' })
    return project
  }

  /** Somebody who has deleted their project or ended their session knocks at nothing any more. */
  async function comeBack(): Promise<void> {
    if ((await owner.browser.get(`/projects/${slug}`)).status === 200) return
    ;({ slug, owner } = await newProject())
    known = known.slice(0, 4)
  }

  const cookieOf = ({ browser }: Person) => [...browser.cookies].map((pair) => pair.join('=')).join('; ')

  return {
    name: 'dashboard calls',
    async knock(random) {
      const { method, path, streams, role } = random.pick(ending)
      const value = (name: string) => {
        if (random.below(8) === 0) return random.pick(ODD)
        if (name === 'project') return slug
        return encodeURIComponent(random.pick(name === 'environment' ? ['production', 'staging'] : known))
      }
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => value(name))
      const query = random.below(3) === 0 ? `?${random.pick(QUERIES)}` : ''
      const who = role === 'operator' && random.below(2) === 0 ? house.operator : owner
      const content = method === 'GET' ? '' : streams ? upload(random) : withSecrets(json(random))
      const headers: [string, string][] = [
        ['Host', baseUrl.host],
        ['Origin', baseUrl.origin],
        ['Cookie', cookieOf(who)],
        ['Connection', 'close'],
      ]
      if (method !== 'GET') {
        headers.push(['Content-Type', 'application/json'], ['Content-Length', String(Buffer.byteLength(content))])
      }
      const bytes = bytesOf({ method, target: `/platform/v1${filled}${query}`, headers, body: content })
      const answer = await sayTo(Number(baseUrl.port), bytes)
      for (const [, shown] of answer.matchAll(/"(?:id|hostname|apex|slug)":"?([^",}]+)/g)) known.push(shown as string)
      for (const [, name, secret] of answer.matchAll(/(ticket)":"([^"]+)/g)) secrets[name as string] = secret as string
      for (const [, token] of answer.matchAll(/"link":"[^"#]+#([^"]+)/g)) secrets.token = token as string
      known = known.slice(0, 4).concat(known.slice(4).slice(-40))
      const statuses = statusesIn(answer)
      if ((statuses.includes(401) || statuses.includes(404)) && random.below(4) === 0) await comeBack()
      return { said: bytes.toString('latin1'), statuses }
    },
  }

  function withSecrets(body: string): string {
    return body.replaceAll(/"(ticket|token)":(?:"[^"]*"|[^,}]+)/g, (given, name: string) =>
      secrets[name] === undefined ? given : `"${name}":"${secrets[name]}"`,
    )
  }

  function upload(random: Random): Buffer {
    if (random.below(2) === 0) return hostileInput(random, { seeds: archives, words: ['PK\x05\x06', '../', '\0'] })
    const odd = () =>
      random.pick(['"a.html"', '"../a"', '1', 'null', '-1', '1e999', '"\\u0000"', `"${'a'.repeat(64)}"`])
    return Buffer.from(`{"files":[{"path":${odd()},"sha256":${odd()},"bytes":${odd()}},${odd()}]}`)
  }
}

const json = (random: Random) => (random.below(4) === 0 ? oddBody(random) : nearlyGoodBody(random))

const ODD = [
  '%00',
  '%',
  '%zz',
  '%C3%28',
  '..',
  '%2e%2e',
  '%2f',
  '0',
  '-1',
  '9'.repeat(30),
  '__proto__',
  'constructor',
].concat(['%F0%9F%90%95', '%ED%A0%80', 'a'.repeat(512), encodeURIComponent("';--"), '%EF%BF%BF', '1e1', 'null'])
/** Each name is one that some route reads. */
const QUERIES = ['limit', 'cursor', 'status', 'environment', 'days', 'keysTo', 'check', 'revoke'].flatMap((name) =>
  ['', '1', '%00', 'abc', '1e9', '-1', 'true', 'production', '%zz', `1&${name}=2`].map((value) => `${name}=${value}`),
)
