import { once } from 'node:events'
import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import { connect as connectTls } from 'node:tls'
import type { Random } from '../campaign/random.ts'
import type { House } from '../platform-api/house.ts'
import type { Part } from './front-door.ts'
import { hostileHeaders, hostileTarget, METHODS } from './hostile-requests.ts'
import { hostileInput } from './mutate.ts'
import { oddBody } from './odd-bodies.ts'

/** HTTP/2 by a client that asks odd things, and by one whose frames are broken. */
export function http2Parts({ shop: { config } }: House): Part[] {
  const port = config.httpsPort as number
  const authority = `localhost:${port}`
  let session: ClientHttp2Session | undefined
  let isOpened = false

  const open = () => {
    if (session === undefined || session.closed || session.destroyed) {
      session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, servername: 'localhost' })
      session.on('error', () => {})
    }
    return session
  }

  return [
    {
      name: 'odd requests over HTTP/2',
      async knock(random) {
        const headers: Record<string, string> = {
          ':authority': random.below(8) === 0 ? random.pick(['evil.example', 'a@b', '']) : authority,
          ':method': random.pick(METHODS),
          ':path': hostileTarget(random),
        }
        for (const [name, value] of hostileHeaders(random)) {
          if (!REFUSED_BY_NODE.has(name.toLowerCase())) headers[name.toLowerCase()] = value.replaceAll(/[^\t -~]/g, '')
        }
        const said = JSON.stringify(headers)
        const body = /GET|HEAD|get/.test(headers[':method'] as string) ? undefined : oddBody(random)
        try {
          return { said, statuses: await answersTo(open().request(headers), body) }
        } catch {
          // Node's client will not send it.
          return { said, statuses: [] }
        }
      },
      close: () => session?.destroy(),
    },
    {
      name: 'broken frames of HTTP/2',
      knock(random) {
        // A whole one first: of a few dozen that are broken it may be that none is answered.
        const frames = isOpened ? brokenFrames(random, authority) : opened(frame(HEADERS, WHOLE, 1, nowhere(authority)))
        isOpened = true
        return sendFrames(port, frames)
      },
    },
  ]
}

/** Hop-by-hop headers are an error of the caller in Node's client. */
const REFUSED_BY_NODE = new Set(['connection', 'upgrade', 'http2-settings', 'transfer-encoding', 'te', 'trailer'])
  .add('content-length')
  .add('__proto__')

/** A stream that is reset has no answer. */
function answersTo(stream: ClientHttp2Stream, body: string | undefined): Promise<number[]> {
  const statuses: number[] = []
  stream.on('response', (headers) => statuses.push(Number(headers[':status'])))
  stream.on('error', () => {})
  stream.resume().end(body)
  return new Promise((resolve) => stream.on('close', () => resolve(statuses)))
}

async function sendFrames(port: number, said: Buffer) {
  const socket = connectTls({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  })
  socket.on('error', () => {})
  await once(socket, 'secureConnect')
  let received: Buffer = Buffer.alloc(0)
  socket.on('data', (bytes: Buffer) => (received = Buffer.concat([received, bytes])))
  socket.end(said)
  await once(socket, 'close')
  return { said: said.toString('hex'), statuses: statusesIn(received) }
}

function brokenFrames(random: Random, authority: string): Buffer {
  const whole = framesOf(random, authority)
  const frames = random.below(3) === 0 ? whole : hostileInput(random, { seeds: [whole], words: WORDS })
  // The preface stays whole in most: without it nothing behind it is read.
  return random.below(10) === 0 ? frames : opened(frames)
}

const opened = (frames: Buffer) => Buffer.concat([PREFACE, frame(SETTINGS, 0, 0, Buffer.alloc(0)), frames])

/** A question to which the answer is 404. */
const nowhere = (authority: string) =>
  blockOf([':method', 'GET', ':scheme', 'https', ':path', '/v1/nowhere', ':authority', authority])

const blockOf = (fields: readonly string[]) =>
  Buffer.concat(fields.map(hpackText).map((text, at) => (at % 2 ? text : Buffer.concat([LITERAL, text]))))

/** A request or two with everything that frames can carry. */
function framesOf(random: Random, authority: string): Buffer {
  const method = random.pick(METHODS)
  const path = hostileTarget(random)
  const fields = [':method', method, ':scheme', 'https', ':path', path, ':authority', authority]
  for (const [name, value] of hostileHeaders(random)) fields.push(name.toLowerCase(), value.slice(0, 100))
  const block = blockOf(fields)
  const half = random.below(block.length)
  const body = Buffer.from(oddBody(random))
  return Buffer.concat([
    ...(random.below(2) === 0
      ? [frame(HEADERS, END_HEADERS, 1, block)]
      : [frame(HEADERS, 0, 1, block.subarray(0, half)), frame(CONTINUATION, END_HEADERS, 1, block.subarray(half))]),
    frame(DATA, 0, 1, body.subarray(0, 3)),
    frame(random.below(12), random.below(64), random.below(4), Buffer.alloc(random.below(16), random.below(256))),
    frame(WINDOW_UPDATE, 0, random.below(4), uint32(random.pick([0, 1, 2 ** 31 - 1]))),
    frame(DATA, END_STREAM, 1, body.subarray(3)),
    frame(PING, 0, 0, Buffer.alloc(8)),
  ])
}

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** Without Huffman; 127 and more take further bytes. */
function hpackText(text: string): Buffer {
  const bytes = Buffer.from(text, 'latin1')
  if (bytes.length < 127) return Buffer.concat([Buffer.from([bytes.length]), bytes])
  const length = [127]
  let rest = bytes.length - 127
  for (; rest >= 128; rest = Math.floor(rest / 128)) length.push((rest % 128) + 128)
  return Buffer.concat([Buffer.from([...length, rest]), bytes])
}

/** An answer begins with its status, of which 500 has a number of its own in HPACK's table, as 200 has. */
function statusesIn(received: Buffer): number[] {
  const statuses: number[] = []
  for (let at = 0; at + 9 < received.length; at += 9 + received.readUIntBE(at, 3)) {
    const status = { 0x88: 200, 0x8c: 400, 0x8d: 404, 0x8e: 500 }[received[at + 9] as number]
    if (received[at + 3] === HEADERS && status !== undefined) statuses.push(status)
  }
  return statuses
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const PREFACE = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const [DATA, HEADERS, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION] = [0, 1, 4, 6, 8, 9]
const [END_STREAM, END_HEADERS] = [1, 4]
const WHOLE = END_STREAM + END_HEADERS
/** Without indexing, and with a name of its own. */
const LITERAL = Buffer.from([0])
const WORDS = [frame(SETTINGS, 0, 0, Buffer.from([0, 4, 0xff, 0xff, 0xff, 0xff])), frame(3, 0, 1, uint32(8)), '\0\0\0']
