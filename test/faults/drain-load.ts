import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import type { ServiceProcess } from '../harness/service-process.ts'

const HTTP1_CLIENTS = 16
/** Requests at once of each HTTP/2 connection. */
const HTTP2_CLIENTS = [1, 1, 1, 1, 4, 4]
const SITE = 'petstore.localhost'

export interface Load {
  /** Whether every kind of request has been answered. */
  isUnderWay(): boolean
  /** Once nobody listens any more. */
  readonly ended: Promise<{
    /** Answers by protocol and status. */
    answers: Record<string, number>
    /** Told over HTTP/2 that the request was not processed and may be sent elsewhere. */
    refused: number
    /** Requests that were sent and got no answer: how the client learnt of it. */
    cut: string[]
  }>
}

/** Clients that keep their connections, never pause, and come back until their connection is refused. */
export function startLoad(service: ServiceProcess): Load {
  const answers: Record<string, number> = {}
  const cut: string[] = []
  let refused = 0
  const answered = (kind: string) => (answers[kind] = (answers[kind] ?? 0) + 1)

  const http1 = async (index: number, agent: Agent) => {
    const method = index % 2 === 0 ? 'GET' : 'POST'
    while (true) {
      try {
        answered(`HTTP/1.1 ${await send(service, agent, method)}`)
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (code !== 'ECONNREFUSED') cut.push(`HTTP/1.1 ${method} ${code} ${message}`)
        return
      }
    }
  }
  const http2 = async (atOnce: number) => {
    while (true) {
      const session = connect(`https://127.0.0.1:${service.httpsPort}`, { servername: SITE, rejectUnauthorized: false })
      try {
        await once(session, 'connect')
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        if (code !== 'ECONNREFUSED') cut.push(`HTTP/2 connect ${code} ${message}`)
        return
      }
      session.on('error', () => {})
      const asking = Array.from({ length: atOnce }, async () => {
        while (true) {
          const outcome = await ask(session, service.httpsPort)
          if (outcome === 'not sent') return
          if (outcome === 'refused') return void refused++
          if (typeof outcome === 'string') return void cut.push(`HTTP/2 ${outcome}`)
          answered(`HTTP/2 ${outcome}`)
        }
      })
      await Promise.all(asking)
      session.destroy()
    }
  }
  const agent = new Agent({ keepAlive: true, maxSockets: HTTP1_CLIENTS })
  const clients = [
    ...Array.from({ length: HTTP1_CLIENTS }, (_, index) => http1(index, agent)),
    ...HTTP2_CLIENTS.map((atOnce) => http2(atOnce)),
  ]
  return {
    isUnderWay: () => Object.keys(answers).length >= 3,
    ended: Promise.all(clients).then(() => ({ answers, refused, cut })),
  }
}

function send(service: ServiceProcess, agent: Agent, method: 'GET' | 'POST'): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${service.keys.production}`, 'Content-Type': 'application/json' }
    const options = { agent, method, headers, host: '127.0.0.1', port: service.productionPort, path: '/v1/pets' }
    const sent = request(options, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode as number))
    })
    sent.on('error', (error) => {
      error.message += ` on a ${sent.reusedSocket ? 'kept' : 'new'} connection`
      reject(error)
    })
    sent.end(method === 'POST' ? '{"name":"Rex","categoryId":1}' : undefined)
  })
}

/** The status, or what became of it. */
function ask(session: ClientHttp2Session, port: number): Promise<number | string> {
  if (session.closed || session.destroyed) return Promise.resolve('not sent')
  return new Promise((resolve) => {
    const stream = session.request({ ':path': '/', ':authority': `${SITE}:${port}` })
    let status: number | undefined
    let isWhole = false
    let problem = ''
    stream.on('response', (headers) => (status = headers[':status']))
    stream.on('error', (error: NodeJS.ErrnoException) => (problem = `${error.code} ${error.message}`))
    stream.on('end', () => (isWhole = status !== undefined))
    stream.on('close', () => {
      if (isWhole && status !== undefined) resolve(status)
      else if (stream.rstCode === constants.NGHTTP2_REFUSED_STREAM) resolve('refused')
      else resolve(`reset ${stream.rstCode} after ${status} ${problem}`)
    })
    stream.resume()
  })
}
