import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { decode, encode, type Packet } from 'dns-packet'
import { hostileReply } from '../../../test/harness/hostile-dns.ts'
import { measureMessage, tooLarge } from './bounds.ts'

test('compressed names are counted as long as they become, without being built', () => {
  const packet = hostileReply(encode({ type: 'query', questions: [{ name: 'a.test', type: 'A' }] }), 511)
  const size = measureMessage(packet)!
  assert.equal(size.records, 511)
  const { answers } = decode(packet)
  const written = answers!.reduce((sum, { name }) => sum + 2 * (name.length + 2), 0)
  assert.equal(size.nameBytes, written + 'a.test'.length + 2)
  assert.match(tooLarge(packet.length, size)!, /names take \d+ bytes/)
})

test('a packet of too many records is refused by its header alone', () => {
  const packet = hostileReply(encode({ type: 'query', questions: [{ name: 'a.test', type: 'A' }] }), 4660)
  assert.deepEqual(measureMessage(packet), { records: 4660, nameBytes: 0 })
  assert.match(tooLarge(packet.length, { records: 4660, nameBytes: 0 })!, /bytes/)
  assert.match(tooLarge(1000, { records: 4660, nameBytes: 0 })!, /4660 records/)
})

test('names in the data of records count, and so do the types of an NSEC record', () => {
  const long = Array.from({ length: 60 }, () => 'abc').join('.')
  const names = (answers: Packet['answers']) =>
    measureMessage(encode({ type: 'response', answers: answers! }))!.nameBytes
  const owner = 'x.test'.length + 2
  const record = { name: 'x.test', ttl: 60 }
  assert.equal(names([{ ...record, type: 'CNAME', data: long }]), owner + long.length + 2)
  const mail = { preference: 1, exchange: long }
  assert.equal(names([{ ...record, type: 'MX', data: mail }]), owner + long.length + 2)
  assert.equal(names([{ ...record, type: 'SOA', data: { mname: long, rname: long } }]), owner + 2 * (long.length + 2))
  const nsec = { nextDomain: 'y.test', rrtypes: ['A', 'TXT', 'CAA'] }
  assert.ok(names([{ ...record, type: 'NSEC', data: nsec } as never]) > owner + 40)
})

test('whatever the decoder takes has been measured, and a circle of pointers is malformed', () => {
  const start = encode({
    type: 'response',
    questions: [{ name: 'www.example.test', type: 'A' }],
    answers: [{ name: 'www.example.test', type: 'CNAME', data: 'shop.example.test' }],
  })
  for (let round = 0; round < 2000; round++) {
    const packet = Buffer.from(start)
    const [at, value] = randomBytes(2) as unknown as [number, number]
    packet[at % packet.length] = value
    const size = measureMessage(packet)
    if (size === undefined) assert.throws(() => decode(packet), `${packet.toString('hex')} can be decoded`)
  }
  const circle = Buffer.concat([start.subarray(0, 12), Buffer.from([0xc0, 12, 0, 1, 0, 1])])
  assert.equal(measureMessage(circle), undefined)
})
