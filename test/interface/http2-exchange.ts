import { once } from 'node:events'
import type { ClientHttp2Session, IncomingHttpHeaders } from 'node:http2'
import { exactJson } from './contract.ts'

/** One request and its whole answer on an open HTTP/2 connection. */
export async function exchange(session: ClientHttp2Session, headers: Record<string, string>, body: string | undefined) {
  const stream = session.request(headers)
  // A stream that is answered before its body was read may be reset once the answer is complete.
  stream.on('error', () => {})
  let text = ''
  stream.setEncoding('utf8').on('data', (part: string) => (text += part))
  stream.end(body)
  const [answered] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }]
  if (!stream.closed) await once(stream, 'close')
  return { status: answered[':status'], headers: answered, text, json: text === '' ? undefined : exactJson(text) }
}
