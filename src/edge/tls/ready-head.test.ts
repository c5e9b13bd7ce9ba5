import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type ClientHttp2Session, connect, createServer, type Http2Server, type ServerHttp2Stream } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { Head } from '../../platform/http/operation.ts'
import { headOf } from '../../platform/http/wire/form.ts'
import { respondReady } from './ready-head.ts'

/** The same, by itself, which has answered nobody yet. */
const { respondReady: unready } = (await import('./ready-head.ts?anew' as string)) as {
  respondReady: typeof respondReady
}

const HEAD = headOf(['Content-Type', 'text/css', 'ETag', '"caf\u00e9"', 'Vary', 'A, B'])
const FIRST = ['strict-transport-security', 'max-age=1']

/** By their paths. */
const answers: Record<string, (stream: ServerHttp2Stream) => void> = {
  '/documented': (stream) =>
    stream.respond([
      ':status',
      '200',
      ...FIRST,
      ...HEAD.headers.map((text, at) => (at % 2 ? text : text.toLowerCase())),
    ]),
  '/ready': (stream) => respondReady(stream, [':status', '200', ...FIRST], HEAD),
  '/bare': (stream) => respondReady(stream, [':status', '404'], HEAD),
  '/known': (stream) => respondReady(stream, [':status', '304'], HEAD),
  // Says something else where it is ready, so that one sees which is sent.
  '/other': (stream) => respondReady(stream, [':status', '200'], OTHER),
  '/unknown': (stream) => unready(stream, [':status', '200', 'date', 'some day'], OTHER),
  '/unready': (stream) => unready(stream, [':status', '200'], OTHER),
}
const OTHER: Head = { headers: ['a', 'joined by Node'], lines: '', fields: { text: 'a\0ready\0\0', count: 1 } }

let server: Http2Server
let session: ClientHttp2Session
before(async () => {
  server = createServer().on('stream', (stream: ServerHttp2Stream, { ':path': path }) => {
    answers[path as string]?.(stream)
    if (!stream.writableEnded) stream.end('body')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
})
after(() => {
  session.destroy()
  server.close()
})

const ask = async (path: string, method = 'GET') => {
  const stream = session.request({ ':path': path, ':method': method })
  const [, , fields] = (await once(stream, 'response')) as [unknown, unknown, string[]]
  let body = ''
  for await (const chunk of stream) body += String(chunk)
  return { fields: fields.with(fields.indexOf('date') + 1, 'some day'), body }
}

test('a head that is ready is sent as Node would send it', async () => {
  const documented = await ask('/documented')
  assert.deepEqual(documented.fields.slice(-2), ['date', 'some day'])
  for (const which of ['first', 'second']) assert.deepEqual(await ask('/ready'), documented, `the ${which} one`)
  const { fields } = await ask('/bare')
  assert.deepEqual(fields, [':status', '404', ...documented.fields.slice(2 + FIRST.length)])
  assert.deepEqual(await ask('/ready', 'HEAD'), { ...documented, body: '' })
  assert.deepEqual(await ask('/known'), { fields: fields.with(1, '304'), body: '' })
  assert.deepEqual((await ask('/other')).fields.slice(2, 4), ['a', 'ready'])
})

test('where Node joins the first one in another way, all are left to it', async () => {
  for (const path of ['/unknown', '/unready']) {
    const { fields } = await ask(path)
    assert.equal(fields[fields.indexOf('a') + 1], 'joined by Node', path)
  }
})
