import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSecureContext, createServer as createTlsServer } from 'node:tls'
import { callbackify } from 'node:util'
import type { CertificateLookups } from '../../src/features/certificates/serving.ts'
import { HTTP_CHALLENGE_PATH, TLS_CHALLENGE_PROTOCOL } from '../../src/features/certificates/acme/challenge.ts'

export interface ChallengeDoor extends AsyncDisposable {
  httpPort: number
  tlsPort: number
  /** Whoever answers from storage at the moment. */
  lookups: Pick<CertificateLookups, 'challengeAnswer' | 'alpnAnswer'> | undefined
  /** What was asked, in order. */
  seen: string[]
}

/** The two places where an authority looks, answered from storage as the edge does. */
export async function openChallengeDoor(): Promise<ChallengeDoor> {
  const seen: string[] = []
  const web = createHttpServer(async (request, response) => {
    const hostname = (request.headers.host ?? '').replace(/:\d+$/, '')
    seen.push(`http-01 ${hostname}`)
    const token = request.url?.startsWith(HTTP_CHALLENGE_PATH) ? request.url.slice(HTTP_CHALLENGE_PATH.length) : ''
    const answer = await door.lookups?.challengeAnswer(hostname, token)
    response.writeHead(answer === undefined ? 404 : 200).end(answer)
  })
  const secure = createTlsServer({
    ALPNProtocols: [TLS_CHALLENGE_PROTOCOL],
    SNICallback: callbackify(async (hostname: string) => {
      seen.push(`tls-alpn-01 ${hostname}`)
      const answer = await door.lookups?.alpnAnswer(hostname)
      if (!answer) throw new Error(`no challenge for ${hostname}`)
      return createSecureContext(answer)
    }),
  })
  secure.on('tlsClientError', () => {})
  for (const server of [web, secure]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
  }
  const door: ChallengeDoor = {
    httpPort: (web.address() as AddressInfo).port,
    tlsPort: (secure.address() as AddressInfo).port,
    lookups: undefined,
    seen,
    async [Symbol.asyncDispose]() {
      web.closeAllConnections()
      web.close()
      secure.close()
    },
  }
  return door
}
