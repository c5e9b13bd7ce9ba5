import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readProxyHeader } from './proxy-protocol.ts'

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n')

function v2({ command = 0x21, family = 0x11, body = Buffer.alloc(12) as Buffer, length = -1 }) {
  if (length === -1) length = body.length
  const head = Buffer.from([command, family, length >> 8, length & 0xff])
  return Buffer.concat([SIGNATURE, head, body])
}

const ipv6 = Buffer.from('20010db8000000000000000000000001', 'hex')
const mapped = Buffer.from('00000000000000000000ffffc0000207', 'hex')

test('the client is read out of both versions, and what follows is left alone', () => {
  const cases: [string, Buffer, string | undefined][] = [
    ['v1 IPv4', Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n'), '192.0.2.7'],
    ['v1 IPv6', Buffer.from('PROXY TCP6 2001:db8::7 2001:db8::1 56324 443\r\n'), '2001:db8::7'],
    ['v1 mapped', Buffer.from('PROXY TCP6 ::ffff:192.0.2.7 ::1 56324 443\r\n'), '192.0.2.7'],
    ['v1 unknown', Buffer.from('PROXY UNKNOWN ffff:f::1 whatever\r\n'), undefined],
    ['v2 IPv4', v2({ body: Buffer.from([192, 0, 2, 7, 10, 0, 0, 1, 1, 2, 3, 4]) }), '192.0.2.7'],
    ['v2 IPv6', v2({ family: 0x21, body: Buffer.concat([ipv6, ipv6, Buffer.alloc(4)]) }), '2001:db8:0:0:0:0:0:1'],
    ['v2 mapped', v2({ family: 0x21, body: Buffer.concat([mapped, ipv6, Buffer.alloc(4)]) }), '192.0.2.7'],
    ['v2 with more behind', v2({ body: Buffer.concat([Buffer.from([192, 0, 2, 7]), Buffer.alloc(400)]) }), '192.0.2.7'],
    ['v2 for itself', v2({ command: 0x20, family: 0, body: Buffer.alloc(0) }), undefined],
    ['v2 UNIX socket', v2({ family: 0x31, body: Buffer.alloc(216) }), undefined],
  ]
  for (const [name, header, source] of cases) {
    const bytes = Buffer.concat([header, Buffer.from('GET / HTTP/1.1\r\n')])
    assert.deepEqual(readProxyHeader(bytes), { length: header.length, source }, name)
    for (let at = 0; at < header.length; at++) {
      assert.equal(readProxyHeader(bytes.subarray(0, at)), 'incomplete', `${name}, ${at} bytes`)
    }
  }
})

test('what begins as anything else has no header', () => {
  for (const bytes of ['GET / HTTP/1.1', 'POST /', 'PROPFIND /', 'PROXYING', '\x16\x03\x01', '\r\nGET /']) {
    assert.equal(readProxyHeader(Buffer.from(bytes, 'latin1')), 'absent', bytes)
  }
})

test('hostile headers are refused, and none makes the reader wait for more than 4 KiB', () => {
  const hostile = [
    Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`),
    Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 1 2 3\r\n'),
    Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 1\r\n'),
    Buffer.from('PROXY TCP4 2001:db8::7 2001:db8::1 1 2\r\n'),
    Buffer.from('PROXY TCP4 192.0.2.300 198.51.100.1 1 2\r\n'),
    Buffer.from('PROXY UDP4 192.0.2.7 198.51.100.1 1 2\r\n'),
    Buffer.from('PROXY  \r\n'),
    v2({ command: 0x31 }),
    v2({ command: 0x22 }),
    v2({ body: Buffer.alloc(11) }),
    v2({ family: 0x21, body: Buffer.alloc(35) }),
    v2({ length: 65_535 }),
  ]
  for (const bytes of hostile) assert.equal(readProxyHeader(bytes), 'malformed', bytes.toString('latin1'))
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 5000, maxLength: 5010 }), fc.boolean(), (junk, isV2) => {
      const bytes = Buffer.concat([isV2 ? SIGNATURE : Buffer.from('PROXY '), junk])
      assert.notEqual(readProxyHeader(bytes), 'incomplete')
    }),
  )
})
