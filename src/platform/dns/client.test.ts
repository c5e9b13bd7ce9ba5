import assert from 'node:assert/strict'
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type Socket as TcpSocket } from 'node:net'
import test, { type TestContext } from 'node:test'
import { AUTHORITATIVE_ANSWER, decode, type DecodedPacket, encode, type Packet, TRUNCATED_RESPONSE } from 'dns-packet'
import { freePorts } from '../../../test/harness/free-ports.ts'
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
    send(reply(query))
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
  const endings: TcpHandler[] = [
    (socket) => socket.write(Buffer.from([0x0f, 0xff, 1])),
    (socket) => socket.write(Buffer.concat([Buffer.from([0, 40]), Buffer.alloc(40, 7), Buffer.alloc(100_000)])),
    (socket) => socket.end(),
    () => {},
  ]
  for (const ending of endings) {
    const server = await listen(t, (query, sender, socket) => {
      const flags = AUTHORITATIVE_ANSWER | TRUNCATED_RESPONSE
      socket.send(reply(query, { flags, answers: [] }), sender.port, sender.address)
    })
    await listenTcp(t, server.port, ending)
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
  const answer = async (length: number) => {
    const answers = Array.from({ length }, () => record)
    const server = await listen(t, (query, sender, socket) => {
      socket.send(reply(query, { answers }), sender.port, sender.address)
    })
    return client.ask(server, 'www.example.test', 'A')
  }
  const whole = await answer(500)
  assert.equal(whole.answers.length, 500, 'a record set is read whole')
  assert.equal(whole.answers[0]?.ttl, 0, 'a TTL with the top bit set is zero')
  assert.deepEqual(JSON.parse(JSON.stringify(whole)), whole)

  const hostile = await answer(600)
  assert.equal(hostile.error?.kind, 'too large', 'or not at all')
  assert.match(hostile.error.message, /600 records/)
  assert.deepEqual(hostile.answers, [])
})

test('a TCP reply that says it is longer than what is read is not waited for', async (t) => {
  const server = await listen(t, (query, sender, socket) => {
    socket.send(reply(query, { flags: TRUNCATED_RESPONSE, answers: [] }), sender.port, sender.address)
  })
  await listenTcp(t, server.port, (socket) => socket.write(Buffer.from([0xff, 0xff, 1])))
  const { error } = await client.ask(server, 'www.example.test', 'A')
  assert.equal(error?.kind, 'too large')
  assert.match(error.message, /65535 bytes/)
})

test('a question is spelled as nobody can guess, and a reply spelled otherwise is not believed', async (t) => {
  const spellings = new Set<string>()
  const server = await listen(t, (query, sender, socket) => {
    spellings.add(query.questions![0]!.name)
    const forged = reply(query, { questions: folded(query), answers: [address('203.0.113.66')] })
    socket.send(forged, sender.port, sender.address)
  })
  await listenTcp(t, server.port, (socket, query) => socket.write(framed(reply(query))))
  const names = Array.from({ length: 4 }, () => client.ask(server, 'www.example-of-a-long-name.test', 'A'))
  for (const { answers, transport } of await Promise.all(names)) {
    assert.deepEqual([answers[0]?.data, transport], ['192.0.2.1', 'tcp'], 'TCP says what is true')
  }
  assert.equal(spellings.size, 4, 'a spelling is used once')
})

test('a server that cannot keep the spelling is asked over TCP, and in lower case from then on', async (t) => {
  const asked: string[] = []
  const server = await listen(t, (query, sender, socket) => {
    asked.push(`udp ${query.questions![0]!.name}`)
    socket.send(reply(query, { questions: folded(query) }), sender.port, sender.address)
  })
  await listenTcp(t, server.port, (socket, query) => {
    asked.push('tcp')
    socket.write(framed(reply(query, { questions: folded(query) })))
  })
  const shouting = createDnsClient({ clock: systemClock, timeoutMs: 20_000, spell: (name) => name.toUpperCase() })
  for (let round = 0; round < 2; round++) {
    assert.equal((await shouting.ask(server, 'www.example.test', 'A')).rcode, 'NOERROR')
  }
  assert.deepEqual(asked, ['udp WWW.EXAMPLE.TEST', 'tcp', 'udp www.example.test'])
})

test('a server that can neither keep the spelling nor speak TCP is asked in lower case', async (t) => {
  const asked: string[] = []
  const server = await listen(t, (query, sender, socket) => {
    asked.push(query.questions![0]!.name)
    socket.send(reply(query, { questions: folded(query) }), sender.port, sender.address)
  })
  const shouting = createDnsClient({ clock: systemClock, timeoutMs: 20_000, spell: (name) => name.toUpperCase() })
  for (let round = 0; round < 2; round++) {
    assert.equal((await shouting.ask(server, 'www.example.test', 'A')).rcode, 'NOERROR')
  }
  assert.deepEqual(asked, ['WWW.EXAMPLE.TEST', 'www.example.test', 'www.example.test'])
})

test('a server that sends too much over TCP is read once, and what it sent is charged', async (t) => {
  const server = await listen(t, (query, sender, socket) => {
    socket.send(reply(query, { flags: TRUNCATED_RESPONSE, answers: [] }), sender.port, sender.address)
  })
  let connections = 0
  await listenTcp(t, server.port, (socket) => {
    connections += 1
    socket.write(Buffer.from([0xff, 0xff, 1]))
  })
  const budget = { questions: 100, bytes: 100_000 }
  const asks = [1, 2, 3, 4].map(() => client.ask(server, 'www.example.test', 'A', { budget }))
  for (const { error } of await Promise.all(asks)) assert.equal(error?.kind, 'too large')
  assert.equal(connections, 1)
  assert.equal(budget.bytes, 100_000 - 0xffff)
})

test('answers that did not fit are asked for over TCP side by side once the first has come', async (t) => {
  const server = await listen(t, (query, sender, socket) => {
    socket.send(reply(query, { flags: TRUNCATED_RESPONSE, answers: [] }), sender.port, sender.address)
  })
  const open: TcpSocket[] = []
  await listenTcp(t, server.port, (socket, query) => {
    open.push(socket)
    // The first alone is answered at once; the three others wait for each other.
    if (open.length === 1 || open.length === 4) for (const one of open) one.write(framed(reply(query)))
  })
  const budget = { questions: 100, bytes: 100_000 }
  const same = createDnsClient({ clock: systemClock, timeoutMs: 20_000, randomId: () => 7, spell: (name) => name })
  const asks = [1, 2, 3, 4].map(() => same.ask(server, 'www.example.test', 'A', { budget }))
  for (const { error, answers } of await Promise.all(asks)) assert.deepEqual([error, answers.length], [null, 1])
})

test('questions that share a budget end with it, and say so', async (t) => {
  const server = await listen(t, (query, sender, socket) => socket.send(reply(query), sender.port, sender.address))
  const few = { questions: 2, bytes: 1000 }
  const asks = [1, 2, 3].map(() => client.ask(server, 'www.example.test', 'A', { budget: few }))
  const errors = (await Promise.all(asks)).map(({ error }) => error?.kind)
  assert.deepEqual(errors, [undefined, undefined, 'over budget'])
  const small = { questions: 20, bytes: 1 }
  assert.equal((await client.ask(server, 'www.example.test', 'A', { budget: small })).error, null)
  const next = await client.ask(server, 'www.example.test', 'A', { budget: small })
  assert.match(next.error!.message, /too large/)
})

type TcpHandler = (socket: TcpSocket, query: DecodedPacket) => void

async function listenTcp(t: TestContext, port: number, handle: TcpHandler): Promise<void> {
  const tcp = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', (data: Buffer) => handle(socket, decode(data.subarray(2))))
  })
  tcp.listen(port, '127.0.0.1')
  await once(tcp, 'listening')
  t.after(() => tcp.close())
}

async function listen(t: TestContext, handle: Handler): Promise<{ address: string; port: number }> {
  // Free over TCP too, and not one that somebody's connection may have been given.
  const [port] = await freePorts(1)
  const socket = createSocket('udp4').bind(port, '127.0.0.1')
  await once(socket, 'listening')
  t.after(() => socket.close())
  socket.on('message', (packet, sender) => handle(decode(packet), sender, socket))
  return { address: '127.0.0.1', port: socket.address().port }
}

const folded = ({ questions = [] }: DecodedPacket) =>
  questions.map((question) => ({ ...question, name: question.name.toLowerCase() }))

const address = (data: string) => ({ name: 'www.example.test', type: 'A', ttl: 60, data }) as const

const framed = (packet: Buffer) => Buffer.concat([Buffer.from([packet.length >> 8, packet.length & 0xff]), packet])

function reply(query: DecodedPacket, changes: Packet = {}): Buffer {
  return encode({
    type: 'response',
    id: query.id,
    flags: AUTHORITATIVE_ANSWER,
    questions: query.questions,
    answers: [address('192.0.2.1')],
    ...changes,
  })
}
