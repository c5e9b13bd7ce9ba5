import assert from 'node:assert/strict'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer } from 'node:net'
import test, { type TestContext } from 'node:test'
import { AUTHORITATIVE_ANSWER, decode, type DecodedPacket, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet'
import { systemClock } from '../clock.ts'
import { createDnsClient } from './client.ts'

const client = createDnsClient({ clock: systemClock, timeoutMs: 20_000, retryAfterMs: 100 })
// Only where silence is what the test is about: a busy machine must not look like a broken server.
const impatient = createDnsClient({ clock: systemClock, timeoutMs: 250, retryAfterMs: 80 })

type Handler = (query: DecodedPacket, sender: RemoteInfo, socket: Socket) => void

test('a reply with a wrong id, question, class or direction is ignored, and the right one still counts', async (t) => {
  const server = await listen(t, (query, sender, socket) => {
    const send = (packet: Buffer) => socket.send(packet, sender.port, sender.address)
    send(reply(query, { id: query.id! ^ 1 }))
    send(reply(query, { questions: [{ name: 'evil.test', type: 'A', class: 'IN' }] }))
    send(reply(query, { questions: [{ name: 'www.example.test', type: 'AAAA', class: 'IN' }] }))
    send(reply(query, { questions: [{ name: 'www.example.test', type: 'A', class: 'CH' }] }))
    send(reply(query, { questions: [] }))
    send(reply(query, { type: 'query' }))
    send(Buffer.from('garbage'))
    send(reply(query, { questions: [{ name: 'WWW.example.TEST', type: 'A', class: 'IN' }] }))
  })
  const exchange = await client.ask(server, 'www.example.test', 'A')
  assert.equal(exchange.answers[0]?.data, '192.0.2.1')
  assert.equal(exchange.ignored.length, 7)
  assert.deepEqual([...new Set(exchange.ignored)], ['wrong id', 'wrong question', 'no reply', 'malformed'])
})

test('a reply from another port is never taken', async (t) => {
  const forger = createSocket('udp4')
  t.after(() => forger.close())
  const server = await listen(t, (query, sender) => forger.send(reply(query), sender.port, sender.address))
  const exchange = await impatient.ask(server, 'www.example.test', 'A')
  assert.equal(exchange.error?.kind, 'timeout')
  assert.deepEqual(exchange.answers, [])
})

test('a lost packet is sent again with a new id from a new port', async (t) => {
  const seen: string[] = []
  const server = await listen(t, (query, sender, socket) => {
    seen.push(`${query.id} ${sender.port}`)
    if (seen.length === 2) socket.send(reply(query), sender.port, sender.address)
  })
  assert.equal((await client.ask(server, 'www.example.test', 'A')).rcode, 'NOERROR')
  assert.equal(new Set(seen).size, 2)
})

test('the first packet may still be answered after the second went out', async (t) => {
  let asked = 0
  const server = await listen(t, (query, sender, socket) => {
    asked += 1
    if (asked === 1) setTimeout(() => socket.send(reply(query), sender.port, sender.address), 250)
  })
  assert.equal((await client.ask(server, 'www.example.test', 'A')).rcode, 'NOERROR')
  assert.equal(asked, 2)
})

test('a server that knows no EDNS is asked again without', async (t) => {
  const server = await listen(t, (query, sender, socket) => {
    const old = query.additionals!.length > 0 ? { flags: 1, answers: [], questions: [] } : {}
    socket.send(reply(query, old), sender.port, sender.address)
  })
  const exchange = await client.ask(server, 'www.example.test', 'A')
  assert.equal(exchange.rcode, 'NOERROR')
  assert.equal(exchange.edns, false)
})

test('a TCP peer that trickles, answers another question or never stops is cut off within the time', async (t) => {
  const brief = createDnsClient({ clock: systemClock, timeoutMs: 1000 })
  const endings: ((socket: import('node:net').Socket) => void)[] = [
    (socket) => socket.write(Buffer.from([0xff, 0xff, 1])),
    (socket) => socket.write(Buffer.concat([Buffer.from([0, 40]), Buffer.alloc(40, 7), Buffer.alloc(100_000)])),
    (socket) => socket.end(),
    () => {},
  ]
  for (const ending of endings) {
    const server = await listen(t, (query, sender, socket) => {
      const flags = AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE
      socket.send(reply(query, { flags, answers: [] }), sender.port, sender.address)
    })
    const tcp = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => ending(socket))
    })
    tcp.listen(server.port, '127.0.0.1')
    await once(tcp, 'listening')
    t.after(() => tcp.close())
    const exchange = await brief.ask(server, 'www.example.test', 'A')
    assert.equal(exchange.error?.kind, 'truncated')
    assert.equal(exchange.transport, 'tcp')
  }
})

test('aborting ends the question at once and says so', async (t) => {
  const stop = new AbortController()
  const server = await listen(t, () => stop.abort())
  const exchange = await client.ask(server, 'www.example.test', 'A', { signal: stop.signal })
  assert.equal(exchange.error?.kind, 'aborted')
  const late = await client.ask(server, 'www.example.test', 'A', { signal: stop.signal })
  assert.equal(late.error?.kind, 'aborted')
})

test('a closed port is told from silence, an unsendable name is no packet', async (t) => {
  const server = await listen(t, () => {})
  assert.equal((await impatient.ask(server, 'www.example.test', 'A')).error?.kind, 'timeout')
  const gone = createSocket('udp4').bind(0, '127.0.0.1')
  await once(gone, 'listening')
  const { port } = gone.address()
  gone.close()
  assert.equal((await client.ask({ address: '127.0.0.1', port }, 'www.example.test', 'A')).error?.kind, 'closed')
  for (const name of ['', 'a..b', `${'a'.repeat(64)}.test`, 'a b.test', 'bücher.test']) {
    assert.equal((await client.ask(server, name, 'A')).error?.kind, 'invalid name', name)
  }
})

test('an address or port that nothing can be sent to is part of the evidence, not an exception', async () => {
  // The last two are refused by the kernel: a broadcast without leave, a link-local address without an interface.
  const servers = ['127.0.0.1 0', '127.0.0.1 70000', '255.255.255.255 53', 'fe80::1 53']
  for (const server of servers) {
    const [address, port] = server.split(' ')
    const { error } = await client.ask({ address: address!, port: Number(port) }, 'www.example.test', 'A')
    assert.equal(error?.kind, 'unreachable', server)
  }
})

test('evidence is plain JSON and stays small whatever the server sends', async (t) => {
  const record = { name: 'a.b', type: 'A', ttl: 0xffff_ffff, data: '192.0.2.1' } as const
  const records = Array.from({ length: 50 }, () => record)
  const server = await listen(t, (query, sender, socket) => {
    socket.send(reply(query, { answers: records }), sender.port, sender.address)
  })
  const exchange = await client.ask(server, 'www.example.test', 'A')
  assert.equal(exchange.answers.length, 40)
  assert.equal(exchange.omitted, 10)
  assert.equal(exchange.answers[0]?.ttl, 0, 'a TTL with the top bit set is zero')
  assert.deepEqual(JSON.parse(JSON.stringify(exchange)), exchange)
})

async function listen(t: TestContext, handle: Handler): Promise<{ address: string; port: number }> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  socket.on('message', (packet, sender) => handle(decode(packet), sender, socket))
  return { address: '127.0.0.1', port: socket.address().port }
}

function reply(query: DecodedPacket, changes: Packet = {}): Buffer {
  return encode({
    type: 'response',
    id: query.id,
    flags: AUTHORITATIVE_ANSWER,
    questions: query.questions,
    answers: [{ name: 'www.example.test', type: 'A', ttl: 60, data: '192.0.2.1' }],
    ...changes,
  })
}
