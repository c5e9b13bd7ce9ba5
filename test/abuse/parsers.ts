import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { connect, type ConnectionOptions } from 'node:tls'
import { encode } from 'dns-packet'
import { hostResolver } from '../../src/edge/hosts.ts'
import { readProxyHeader } from '../../src/edge/proxy-protocol.ts'
import { locationOn } from '../../src/edge/redirect.ts'
import { sitePathOf } from '../../src/edge/site/path.ts'
import { readClientHello } from '../../src/edge/tls/client-hello.ts'
import { ListOrdersQuery } from '../../src/features/orders/contract.ts'
import { ListPetsQuery } from '../../src/features/pets/contract.ts'
import { readArchive } from '../../src/features/deploys/archive/archive.ts'
import { readHostnameInput } from '../../src/features/domains/hostname-input.ts'
import { PetstoreError } from '../../src/platform/errors.ts'
import { canonicalHostname } from '../../src/platform/hostname.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { encodeQuery, readReply } from '../../src/platform/dns/message.ts'
import { replyTo } from '../../src/platform/dns/reply.ts'
import { zonesFrom } from '../../src/platform/dns/zone.ts'
import { parseJsonBody } from '../../src/platform/http/json-body.ts'
import { createCursors } from '../../src/platform/http/lists/cursor.ts'
import { pageReader } from '../../src/platform/http/lists/page.ts'
import { validator } from '../../src/platform/http/validator.ts'
import { declared } from '../../src/platform/schema.ts'
import { extraField, gzipped, paxRecord, siteParts, tarBytes, zip64End, zipBytes } from '../deploys/archive-bytes.ts'
import { hostileReply } from '../harness/hostile-dns.ts'
import { BODY_SCHEMAS, oddBody } from './odd-bodies.ts'
import type { Material } from './mutate.ts'
import { headers, pages } from './text-parsers.ts'

/** A parser that strangers reach, as the service calls it. */
export interface Parser extends Material {
  readonly name: string
  /** Throws our own refusal, or nothing. */
  take(input: Buffer): void | Promise<void>
}

const buffers = (...texts: string[]) => texts.map((text) => Buffer.from(text))

const bodies: Parser = {
  name: 'bodies',
  seeds: buffers(
    '{"name":"Rex","categoryId":1,"status":"available"}',
    '{"petId":9223372036854775807}',
    '{"status":"completed"}',
    '{"email":"a@example.com","password":"correct horse battery","name":"Ü","token":"abc"}',
    '{"hostname":"www.shop.example","to":"shop.example","status":308}',
    '{"environment":"production","scopes":["read","write"],"expiresAt":"2027-01-01T00:00:00Z"}',
    '{"ticket":"t","code":"123456","passkey":{"id":"a","response":{"clientDataJSON":"e30"}}}',
    '[1.5e300,-0,1e-7,12345678901234567890,{"a":[[[null,true,false]]]}]',
  ),
  words: [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '\\u',
    '\\ud800',
    '1e999',
    '-',
    '.',
    '__proto__',
    'constructor',
    '\0',
    'é',
  ],
  generate: (random) => Buffer.from(oddBody(random)),
  take(input) {
    const body = parseJsonBody(input)
    for (const schema of BODY_SCHEMAS) {
      // Each refusal is ours; a body is refused by most schemas, and all of them have to look at it.
      attempt(() => declared(schema, validator(schema, 'It was refused')(body)))
    }
  },
}

const RULES = {
  baseUrl: new URL('https://pets.example/v1'),
  stagingUrl: new URL('https://staging.pets.example/v1'),
  platformHost: 'sites.example',
}
const resolvers = [hostResolver(RULES, 'http', 80), hostResolver(RULES, 'https', 443)]

const hosts: Parser = {
  name: 'hosts',
  seeds: buffers(
    'pets.example',
    'Staging.Pets.Example.:443',
    'kennel.sites.example:8080',
    '[::1]:443',
    '127.0.0.1:80',
  ).concat(
    buffers('xn--bcher-kva.example', 'bücher.example', 'https://www.shop.co.uk/path?x#y', 'localhost', '0x7f.1'),
  ),
  words: [
    '.',
    '..',
    ':',
    '@',
    '/',
    '%2e',
    'xn--',
    'xn--a',
    '-',
    '_',
    '*',
    '\0',
    '。',
    'ß',
    '[',
    ']',
    '999',
    '\ud83d\udc15',
  ],
  take(input) {
    for (const text of [input.toString('latin1'), input.toString('utf8')]) {
      for (const resolve of resolvers) resolve(text)
      const name = canonicalHostname(text)
      if (name !== undefined && canonicalHostname(name) !== name) throw new Error(`${name} is not its own spelling`)
      readHostnameInput(text, ['pets.example', 'sites.example'])
    }
  },
}

const cursors = createCursors('secret', 'sqlite')
const readPages = [pageReader(ListPetsQuery, cursors), pageReader(ListOrdersQuery, cursors)]

const targets: Parser = {
  name: 'targets',
  seeds: buffers(
    '/v1/pets?limit=20&status=available&cursor=abc',
    '/a/b/index.html',
    '//evil.example/%2e%2e/',
    '/ü?q=1',
  ),
  words: ['/', '//', '..', '%2e', '%2f', '%', '%zz', '%C3', '?', '&', '=', '#', '\\', '\r\n', 'limit=', '\0', '@', ':'],
  take(input) {
    const target = input.toString('latin1')
    sitePathOf(target)
    const location = locationOn({ scheme: 'https', host: 'pets.example' }, `/${target}`)
    if (URL.parse(location)?.host !== 'pets.example') throw new Error(`a redirect leads away: ${location}`)
    for (const read of readPages) attempt(() => read(target, 'pets'))
  },
}

const proxyHeaders: Parser = {
  name: 'PROXY headers',
  seeds: [
    ...buffers(
      'PROXY TCP4 192.0.2.1 192.0.2.2 5000 443\r\n',
      'PROXY TCP6 2001:db8::1 ::1 1 2\r\n',
      'PROXY UNKNOWN\r\n',
    ),
    Buffer.from('0d0a0d0a000d0a515549540a2111000cc0000201c00002021f9001bb', 'hex'),
    Buffer.from('0d0a0d0a000d0a515549540a20000000', 'hex'),
  ],
  words: ['PROXY ', 'TCP4 ', 'TCP6 ', ' ', '\r\n', Buffer.from('0d0a0d0a000d0a515549540a', 'hex'), '::', '255.'],
  take: (input) => void readProxyHeader(input),
}

/** The first bytes of real clients. */
const hellos = await Promise.all([
  helloOf({ servername: 'Shop.Example', ALPNProtocols: ['h2', 'http/1.1'] }),
  helloOf({ servername: 'shop.example', maxVersion: 'TLSv1.2' }),
  helloOf({ ALPNProtocols: ['acme-tls/1'] }),
])

const clientHellos: Parser = {
  name: 'ClientHellos',
  seeds: hellos,
  words: [Buffer.from([22, 3, 1]), Buffer.from([0, 0]), Buffer.from([0, 16]), Buffer.from([0xff, 0xff]), 'h2'],
  take: (input) => void readClientHello(input),
}

const sent = encodeQuery(7, { name: 'www.example.test', type: 'A', recursion: true, checkingDisabled: false }, true)
const name = 'www.example.test'
const ttl = 60
const replies = [
  encode({
    type: 'response',
    id: 7,
    questions: [{ name, type: 'A' }],
    answers: [{ name, ttl, type: 'A', data: '192.0.2.1' }],
  }),
  encode({
    type: 'response',
    id: 7,
    questions: [{ name, type: 'A' }],
    answers: [
      { name, ttl, type: 'CNAME', data: 'shop.example.test' },
      { name, ttl, type: 'TXT', data: ['petstore', 'proof'] },
      { name, ttl, type: 'CAA', data: { flags: 0, tag: 'issue', value: 'pets.example' } },
      { name, ttl, type: 'MX', data: { preference: 1, exchange: 'mx.example.test' } },
      { name, ttl, type: 'SRV', data: { port: 1, target: 'srv.example.test' } },
    ],
    authorities: [
      { name: 'example.test', ttl, type: 'SOA', data: { mname: 'ns.example.test', rname: 'a.example.test' } },
    ],
    additionals: [{ name: 'ns.example.test', ttl, type: 'AAAA', data: '2001:db8::1' }],
  }),
  hostileReply(sent.packet, 40),
]
const zones = zonesFrom(() => [])
const context = {
  zones,
  clock: systemClock,
  nameserver: 'ns.test',
  recursive: true,
  signal: new AbortController().signal,
}

const dnsPackets: Parser = {
  name: 'DNS packets',
  seeds: [...replies, sent.packet],
  words: [
    Buffer.from([0xc0, 12]),
    Buffer.from([63]),
    Buffer.from([0]),
    Buffer.from([0, 6]),
    Buffer.from([0, 47, 0, 1]),
  ],
  async take(input) {
    readReply(input, sent)
    await replyTo(input, 'udp', { ...context, onError: rethrow })
  },
}

const LIMITS = {
  archiveBytesMax: 64 * 1024,
  inflatedBytesMax: 400_000,
  entriesMax: 50,
  fileBytesMax: 100_000,
  inflationRatioMax: 100,
  inflationRatioFreeBytes: 20_000,
}

/** Spools to `directory`, from which nothing may be left. */
function archives(directory: string): Parser {
  const pax = { name: 'p', type: 'x', content: paxRecord('path', 'ü/long') }
  const entryCount = BigInt(siteParts.length)
  const directoryStart = BigInt(zipBytes(siteParts).indexOf('PK\x01\x02'))
  const beforeEnd = (at: number) => zip64End({ entryCount, directoryStart, recordStart: BigInt(at) })
  return {
    name: 'archives',
    seeds: [
      zipBytes(siteParts),
      zipBytes(siteParts, { entryCount: 0xffff, directoryStart: 0xffffffff, beforeEnd }),
      zipBytes([{ name: 'a', content: 'x', method: 0, extra: extraField(1, Buffer.alloc(8, 0xff)) }]),
      tarBytes([{ name: 'd/', type: '5' }, pax, ...siteParts]),
      gzipped(tarBytes(siteParts)),
    ],
    words: [
      'PK\x03\x04',
      'PK\x01\x02',
      'PK\x05\x06',
      'PK\x06\x06',
      'ustar',
      '../',
      '/',
      '\0',
      Buffer.from([0x1f, 0x8b, 8]),
    ],
    async take(input) {
      for await (const { path } of readArchive(pieces(input), { spoolDirectory: directory, limits: LIMITS })) {
        if (path.startsWith('/') || path.split('/').includes('..')) throw new Error(`an entry leaves the site: ${path}`)
      }
    },
  }
}

export const parsers = (spoolDirectory: string): readonly Parser[] => [
  bodies,
  hosts,
  targets,
  headers,
  pages,
  proxyHeaders,
  clientHellos,
  dnsPackets,
  archives(spoolDirectory),
]

/** Whether what was thrown is an answer that a stranger may get for what they sent. */
export const isRefusal = (thrown: unknown) => thrown instanceof PetstoreError && thrown.status < 500

function attempt(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!isRefusal(error)) throw error
  }
}

function rethrow(error: unknown): never {
  throw error
}

async function* pieces(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function helloOf(options: ConnectionOptions): Promise<Buffer> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect({ ...options, host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  client.on('error', () => {})
  const [socket] = await once(server, 'connection')
  const [bytes] = await once(socket, 'data')
  client.destroy()
  socket.destroy()
  server.close()
  return bytes
}
