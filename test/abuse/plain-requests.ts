import type { Random } from '../campaign/random.ts'
import type { House } from '../platform-api/house.ts'
import type { Part } from './front-door.ts'
import { bytesOf, hostileHeaders, hostileTarget, METHODS, type Request } from './hostile-requests.ts'
import { clientHello } from '../edge/tls-fixture.ts'
import { hostileInput } from './mutate.ts'
import { nearlyGoodBody, oddBody } from './odd-bodies.ts'
import { sayTo, statusesIn } from './wire.ts'

/** Requests over HTTP/1.1 to every plain port, odd in what they ask for or broken in their bytes. */
export function plainParts({ shop: { config, keys } }: House): Part[] {
  const ports = [config.baseUrl, config.baseUrl, config.stagingUrl].map(({ port }) => Number(port))
  const hosts = [
    config.baseUrl.host,
    config.stagingUrl.host,
    'kennel-1.localhost',
    'petstore.localhost',
    'localhost',
  ].concat([`localhost:${config.adminPort}`, 'shop.example', '127.0.0.1', '[::1]', '', 'a@b', '*'])

  function request(random: Random): Request {
    const body = random.below(3) === 0 ? oddBody(random) : ''
    const headers: (readonly [string, string])[] = [
      ['Host', random.below(2) === 0 ? config.baseUrl.host : random.pick(hosts)],
      ...hostileHeaders(random),
    ]
    if (random.below(2) === 0) headers.push(['Authorization', `Bearer ${random.pick(Object.values(keys))}`])
    if (body !== '') headers.push(['Content-Type', 'application/json'], ['Content-Length', String(body.length)])
    return { method: random.pick(METHODS), target: hostileTarget(random), headers, body }
  }

  async function say(port: number, bytes: Buffer) {
    return { said: bytes.toString('latin1'), statuses: statusesIn(await sayTo(port, bytes, { hangUpAfterMs: 50 })) }
  }

  /** With a key and in good form, so that nothing but what is asked for is wrong. */
  function call(random: Random): Request {
    const [method, path] = random.pick(OPERATIONS)
    const body = method === 'GET' ? '' : random.below(4) === 0 ? oddBody(random) : nearlyGoodBody(random)
    const [key, { host }] = random.pick([
      [keys.production, config.baseUrl],
      [keys.staging, config.stagingUrl],
    ] as const)
    return {
      method,
      target: `/v1${path.replace('{id}', random.pick(IDS))}${random.below(2) === 0 ? `?${random.pick(QUERIES)}` : ''}`,
      headers: [
        ['Host', host],
        ['Authorization', `Bearer ${key}`],
        ['Connection', 'close'],
        ...(body === '' ? [] : ([['Content-Type', 'application/json']] as const)),
        ...(body === '' ? [] : ([['Content-Length', String(Buffer.byteLength(body))]] as const)),
        ...hostileHeaders(random).filter(([name]) => !FRAMING.test(name)),
      ],
      body,
    }
  }

  return [
    {
      name: 'interface calls',
      async knock(random) {
        const bytes = bytesOf(call(random))
        return { said: bytes.toString('latin1'), statuses: statusesIn(await sayTo(Number(config.baseUrl.port), bytes)) }
      },
    },
    {
      name: 'odd requests',
      knock: (random) => say(random.pick([...ports, config.adminPort]), bytesOf(request(random))),
    },
    {
      name: 'broken requests',
      knock(random) {
        const seeds = [bytesOf(request(random)), bytesOf(request(random))]
        return say(random.pick([...ports, config.adminPort]), hostileInput(random, { seeds, words: WORDS }))
      },
    },
    {
      name: 'bytes at the port of TLS',
      knock: (random) => say(config.httpsPort as number, hostileInput(random, { seeds: HELLOS, words: WORDS })),
    },
  ]
}

const OPERATIONS = [
  ['GET', '/pets'],
  ['POST', '/pets'],
  ['GET', '/pets/{id}'],
  ['PATCH', '/pets/{id}'],
  ['GET', '/store/orders'],
  ['POST', '/store/orders'],
  ['PATCH', '/store/orders/{id}'],
] as const
const IDS = [
  '1',
  '2',
  '3',
  '0',
  '-1',
  '9223372036854775807',
  '9223372036854775808',
  '%00',
  '%C3%28',
  '1e1',
  '__proto__',
]
const QUERIES = [
  'limit=1',
  'limit=100',
  'limit=0',
  'cursor=%00',
  'cursor=a.b',
  'status=sold',
  'status=%00',
  '%zz=%',
  '&&=',
]
/** Headers that say where a request ends. */
const FRAMING = /^(?:content-length|transfer-encoding|connection|upgrade|expect|content-type|authorization)$/i

const WORDS = [
  '\r\n',
  '\n',
  '\r\n\r\n',
  '\0',
  ' ',
  ':',
  'HTTP/1.1',
  'HTTP/2.0',
  'GET / HTTP/1.1\r\n',
  'Host: a\r\n',
  'PRI * ',
].concat([
  'Content-Length: 5\r\n',
  'Transfer-Encoding: chunked\r\n',
  '0\r\n\r\n',
  'ffffffff\r\n',
  'PROXY TCP4 ',
  '\x16\x03\x01',
])
const HELLOS = [clientHello('localhost'), Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')]
