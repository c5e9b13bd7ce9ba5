import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { connect, type Socket as TcpSocket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type Answer, AUTHORITATIVE_ANSWER, decode, encode, type Packet } from 'dns-packet'
import { ManualClock } from '../../clock.ts'
import { withLength } from '../transport.ts'
import { type AuthoritativeListener, openAuthoritativeListener } from './listener.ts'
import { type Respond, responderFor } from './respond.ts'
import type { LabelZone } from './zone.ts'

const APEX = 'acme.pets.example'
const LABEL = '0123456789abcdef'
let texts: string[] = []
let fails = false

const zone: LabelZone = {
  apex: APEX,
  nameservers: ['ns1.pets.example', 'ns2.pets.example'],
  has: (label) => label === LABEL,
  async textsAt() {
    if (fails) throw new Error('the storage is away')
    return texts
  },
}

interface Asked {
  name: string
  type?: string
  packet?: Partial<Packet>
}

const question = ({ name, type = 'TXT', packet = {} }: Asked) =>
  encode({ type: 'query', id: 7, questions: [{ name, type: type as 'TXT' }], ...packet })

const edns = (size: number, version = 0) =>
  ({
    type: 'OPT',
    name: '.',
    udpPayloadSize: size,
    extendedRcode: 0,
    ednsVersion: version,
    flags: 0,
    options: [],
  }) as never

describe('what the zone answers', () => {
  const errors: unknown[] = []
  const respond: Respond = responderFor(zone, (error) => errors.push(error))
  const ask = async (asked: Asked, way: Parameters<Respond>[1] = 'udp') => {
    const reply = await respond(question(asked), way)
    assert.ok(reply, 'there is an answer')
    return { ...(decode(reply) as ReturnType<typeof decode> & { rcode: string; flag_ra: boolean }), reply }
  }
  const data = (answers: Answer[] | undefined) => (answers ?? []).map((answer) => ({ ...answer }))

  test('a label says what is pending, with authority and for one second', async () => {
    texts = ['one', 'two']
    const { answers, rcode, flag_aa, flag_ra } = await ask({ name: `${LABEL}.${APEX}` })
    assert.deepEqual({ rcode, flag_aa, flag_ra }, { rcode: 'NOERROR', flag_aa: true, flag_ra: false })
    assert.deepEqual(
      data(answers).map((answer) => [
        answer.name,
        'ttl' in answer && answer.ttl,
        String((answer as { data: unknown }).data),
      ]),
      [
        [`${LABEL}.${APEX}`, 1, 'one'],
        [`${LABEL}.${APEX}`, 1, 'two'],
      ],
    )
  })

  test('a name keeps the case in which it was asked for', async () => {
    const name = `0123456789ABCDef.AcMe.pEts.eXAMPLE`
    const { questions, answers } = await ask({ name })
    assert.equal(questions?.[0]?.name, name)
    assert.equal(answers?.[0]?.name, name)
  })

  test('no data and no such name come with the SOA, by which a "no" is forgotten within a second', async () => {
    texts = []
    const wanted = {
      'nothing pending': `${LABEL}.${APEX}`,
      'no such label': `ffff.${APEX}`,
      below: `x.${LABEL}.${APEX}`,
    }
    const rcodes: string[] = []
    for (const name of Object.values(wanted)) {
      const { rcode, answers, authorities } = await ask({ name })
      rcodes.push(rcode)
      assert.equal(answers?.length, 0)
      const [soa] = authorities as [Answer & { data: { mname: string; minimum: number }; ttl: number }]
      assert.deepEqual([soa.type, soa.name, soa.ttl, soa.data.minimum], ['SOA', APEX, 1, 1])
    }
    assert.deepEqual(rcodes, ['NOERROR', 'NXDOMAIN', 'NXDOMAIN'])
    const address = await ask({ name: `${LABEL}.${APEX}`, type: 'A' })
    assert.deepEqual([address.rcode, address.authorities?.length], ['NOERROR', 1])
  })

  test('the apex has SOA, NS and a CAA that lets nobody issue; its other types have no data', async () => {
    const ns = await ask({ name: APEX, type: 'NS' })
    assert.deepEqual(
      ns.answers?.map((answer) => (answer as { data: unknown }).data),
      ['ns1.pets.example', 'ns2.pets.example'],
    )
    const soa = await ask({ name: APEX, type: 'SOA' })
    assert.equal((soa.answers as unknown as [{ data: { mname: string } }])[0].data.mname, 'ns1.pets.example')
    const caa = await ask({ name: APEX, type: 'CAA' })
    const { tag, value } = (caa.answers as unknown as [{ data: { tag: string; value: string } }])[0].data
    assert.deepEqual([tag, value], ['issue', ';'])
    const mx = await ask({ name: APEX, type: 'MX' })
    assert.deepEqual([mx.rcode, mx.authorities?.[0]?.type], ['NOERROR', 'SOA'])
  })

  test('whatever is not in the zone is refused, and so are transfers, other classes and recursion', async () => {
    for (const name of ['pets.example', 'www.example.com', `${LABEL}.acme.pets.example.net`, '.']) {
      const { rcode, flag_aa, flag_ra, answers, authorities } = await ask({ name, packet: { flags: 0x100 } })
      const counts = [answers?.length, authorities?.length]
      assert.deepEqual([rcode, flag_aa, flag_ra, ...counts], ['REFUSED', false, false, 0, 0], name)
    }
    assert.equal((await ask({ name: APEX, type: 'AXFR' })).rcode, 'REFUSED')
    assert.equal((await ask({ name: APEX, type: 'IXFR' })).rcode, 'REFUSED')
    const chaos = question({ name: 'version.bind' })
    chaos.writeUInt16BE(3, chaos.length - 2)
    assert.equal((decode((await respond(chaos, 'udp'))!) as { rcode?: string }).rcode, 'REFUSED')
  })

  test('a question for everything gets one small record (RFC 8482)', async () => {
    const { answers, reply } = await ask({ name: APEX, type: 'ANY' })
    assert.deepEqual(
      answers?.map(({ type }) => type),
      ['HINFO'],
    )
    assert.ok(reply.length < 80)
  })

  test('EDNS: a version to come is BADVERS, the size is capped, and plain questions get no OPT', async () => {
    const future = await ask({ name: APEX, type: 'SOA', packet: { additionals: [edns(4096, 1)] } })
    const [opt] = future.additionals as [Answer & { extendedRcode: number; udpPayloadSize: number }]
    assert.deepEqual([future.rcode, opt.extendedRcode, opt.udpPayloadSize], ['NOERROR', 1, 1232])
    assert.equal((await ask({ name: APEX, type: 'SOA' })).additionals?.length, 0)
  })

  test('what does not fit into a datagram is cut, and comes whole over TCP', async () => {
    texts = Array.from({ length: 8 }, (_, index) => `${index}`.repeat(200))
    for (const packet of [{}, { additionals: [edns(100)] }, { additionals: [edns(65_535)] }]) {
      const cut = await ask({ name: `${LABEL}.${APEX}`, packet })
      assert.deepEqual([cut.flag_tc, cut.answers?.length, cut.reply.length < 100], [true, 0, true])
    }
    const whole = await ask({ name: `${LABEL}.${APEX}` }, 'tcp')
    assert.deepEqual([whole.flag_tc, whole.answers?.length], [false, 8])
  })

  test('a storage that fails is SERVFAIL, and is told', async () => {
    fails = true
    assert.equal((await ask({ name: `${LABEL}.${APEX}` })).rcode, 'SERVFAIL')
    assert.match(String(errors.at(-1)), /the storage is away/)
    fails = false
  })

  test('of hostile packets none is answered with more than it sent, none throws, and answers get silence', async () => {
    texts = ['one']
    const good = question({ name: `${LABEL}.${APEX}`, packet: { additionals: [edns(1232)] } })
    const changed = (change: (packet: Buffer) => void) => {
      const packet = Buffer.from(good)
      change(packet)
      return packet
    }
    const silent = [Buffer.alloc(0), Buffer.alloc(11), changed((packet) => packet.writeUInt16BE(0x8000, 2))]
    for (const packet of silent) assert.equal(await respond(packet, 'udp'), undefined)
    const refused: [number, Buffer][] = [
      [4, changed((packet) => packet.writeUInt16BE(0x2800, 2))], // an update
      [4, changed((packet) => packet.writeUInt16BE(0x2000, 2))], // a notify
      [1, changed((packet) => packet.writeUInt16BE(0, 4))], // no question
      [1, changed((packet) => packet.writeUInt16BE(2, 4))], // two
      [1, changed((packet) => packet.writeUInt16BE(1, 6))], // with an answer in it
      [1, changed((packet) => packet.writeUInt16BE(65_535, 10))],
      [1, changed((packet) => packet.writeUInt16BE(0xc00c, 12))], // a name that points at itself
      [1, changed((packet) => (packet[12] = 64))],
      [1, good.subarray(0, 30)],
      [1, Buffer.concat([good, Buffer.of(0)])],
      [1, question({ name: APEX, packet: { additionals: [edns(1232), edns(1232)] } })],
      [1, Buffer.concat([good.subarray(0, 12), Buffer.alloc(300, 1)])], // a name of 150 labels
    ]
    for (const [rcode, packet] of refused) {
      const reply = await respond(packet, 'udp')
      assert.deepEqual([reply?.length, reply && reply.readUInt16BE(2) & 15], [12, rcode], packet.toString('hex'))
    }
    // 20,000 of them, from a seed, so that a failure comes again.
    let seed = 20_261_115
    const random = (below: number) => (seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) % below
    for (let round = 0; round < 20_000; round++) {
      const packet = Buffer.from(good.subarray(0, 12 + random(good.length - 11)))
      for (let times = 1 + random(6); times > 0; times--) packet[2 + random(packet.length - 2)] = random(256)
      const reply = await respond(packet, 'udp')
      assert.ok(reply === undefined || reply.length <= 2 * packet.length + 100, packet.toString('hex'))
      if (reply) assert.equal(reply.readUInt16BE(2) & 0x8080, 0x8000, 'a response, without recursion')
    }
  })
})

describe('the listener', () => {
  let listener: AuthoritativeListener
  let udp: Socket
  before(async () => {
    texts = ['one']
    listener = await open()
    udp = createSocket('udp4')
  })
  after(async () => {
    udp.close()
    await listener[Symbol.asyncDispose]()
  })
  const open = (options: Parameters<typeof openAuthoritativeListener>[1] = {}) =>
    openAuthoritativeListener(
      {
        clock: new ManualClock(0),
        zone,
        at: { address: '127.0.0.1', port: 0 },
        onError: (error) => assert.fail(String(error)),
      },
      options,
    )
  const tcpTo = async (port: number): Promise<TcpSocket> => {
    const socket = connect(port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    return socket
  }

  test('beyond the rate of its network every second question is sent to TCP, and the others get nothing', async () => {
    await using limited = await open({ repliesPerSecond: 5 })
    const [asked, replies] = [40, [] as Buffer[]]
    const each = new Promise<void>((resolve) => {
      udp.on('message', (reply) => {
        if (replies.push(reply) === 10 + (asked - 10) / 2) resolve()
      })
    })
    for (let count = 0; count < asked; count++)
      udp.send(question({ name: `${LABEL}.${APEX}` }), limited.port, '127.0.0.1')
    await each
    udp.removeAllListeners('message')
    const cut = replies.filter((reply) => decode(reply).flag_tc)
    assert.deepEqual([replies.length - cut.length, cut.length, limited.counts.limited], [10, 15, 30])
    const socket = await tcpTo(limited.port)
    socket.write(withLength(question({ name: `${LABEL}.${APEX}` })))
    const [reply] = (await once(socket, 'data')) as [Buffer]
    assert.equal(decode(reply.subarray(2)).answers?.length, 1)
    socket.destroy()
  })

  test('over TCP questions may come one behind the other and in pieces, and are answered in their order', async () => {
    const socket = await tcpTo(listener.port)
    const stream = Buffer.concat(
      [1, 2, 3].map((id) => withLength(question({ name: `${LABEL}.${APEX}`, packet: { id } }))),
    )
    socket.write(stream.subarray(0, 41))
    socket.write(stream.subarray(41))
    const ids: number[] = []
    let received = Buffer.alloc(0)
    for await (const chunk of socket as AsyncIterable<Buffer>) {
      received = Buffer.concat([received, chunk])
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        ids.push(received.readUInt16BE(2))
        received = received.subarray(2 + received.readUInt16BE(0))
      }
      if (ids.length === 3) break
    }
    assert.deepEqual(ids, [1, 2, 3])
  })

  test('a connection that is silent, sends junk or is one too many of its network ends', async () => {
    await using short = await open({ idleMs: 20, perNetworkMax: 2 })
    const silent = await tcpTo(short.port)
    await once(silent, 'close')
    const junk = await tcpTo(listener.port)
    junk.write(Buffer.from([0xff, 0xff, 1, 2, 3]))
    await once(junk, 'close')
    const answering = await tcpTo(listener.port)
    answering.write(withLength(encode({ type: 'response', id: 1, flags: AUTHORITATIVE_ANSWER, questions: [] })))
    await once(answering, 'close')
    await using narrow = await open({ perNetworkMax: 2 })
    const held = [await tcpTo(narrow.port), await tcpTo(narrow.port)]
    const third = await tcpTo(narrow.port)
    await once(third, 'close')
    held[0]!.write(withLength(question({ name: APEX, type: 'SOA' })))
    await once(held[0]!, 'data')
    held.forEach((socket) => socket.destroy())
  })
})
