import { once } from 'node:events'
import { createServer as createHttpServer, Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSecureContext, createServer as createTlsServer } from 'node:tls'
import { callbackify } from 'node:util'
import type { AccountStore, AcmeAccount } from '../../src/features/certificates/acme/account.ts'
import { createAcmeIssuer } from '../../src/features/certificates/acme/acme-issuer.ts'
import {
  createValidationCertificate,
  HTTP_CHALLENGE_PATH,
  TLS_CHALLENGE_PROTOCOL,
} from '../../src/features/certificates/acme/challenge.ts'
import { createAcmeTransport } from '../../src/features/certificates/acme/transport.ts'
import { createCsr } from '../../src/features/certificates/authority/csr.ts'
import type { ChallengeAnswer, ChallengeType, IssuanceOrder, Issuer } from '../../src/features/certificates/issuer.ts'
import { createPrivateKeyPem } from '../../src/features/certificates/authority/key-pair.ts'
import { runOrder, type OrderEnd } from '../../src/features/certificates/order/run-order.ts'
import { MINUTE_MS, systemClock, type Clock } from '../../src/platform/clock.ts'
import { HUNG_AFTER_MS } from './until.ts'

/** Answers challenges the way the edge does: from a list that the test fills. */
export async function startChallengeResponder() {
  const cleanup = new AsyncDisposableStack()
  const answers = new Map<string, ChallengeAnswer>()
  const seen: string[] = []

  const web = createHttpServer((request, response) => {
    seen.push(`http-01 ${request.headers.host}`)
    const token = request.url?.startsWith(HTTP_CHALLENGE_PATH) ? request.url.slice(HTTP_CHALLENGE_PATH.length) : ''
    const answer = [...answers.values()].find((each) => each.token === token)
    response.writeHead(answer ? 200 : 404).end(answer?.keyAuthorization)
  })
  const secure = createTlsServer({
    ALPNProtocols: [TLS_CHALLENGE_PROTOCOL],
    SNICallback: callbackify(async (hostname: string) => {
      seen.push(`tls-alpn-01 ${hostname}`)
      const answer = answers.get(hostname)
      if (!answer) throw new Error(`no challenge for ${hostname}`)
      const { certificatePem, privateKeyPem } = await createValidationCertificate({ clock: systemClock }, answer)
      return createSecureContext({ cert: certificatePem, key: privateKeyPem })
    }),
  })
  secure.on('tlsClientError', () => {})
  for (const server of [web, secure]) {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanup.defer(() => {
      server.close()
      if (server instanceof HttpServer) server.closeAllConnections()
    })
  }
  return {
    httpPort: (web.address() as AddressInfo).port,
    tlsPort: (secure.address() as AddressInfo).port,
    seen,
    serve: (given: readonly ChallengeAnswer[]) => given.forEach((answer) => answers.set(answer.hostname, answer)),
    [Symbol.asyncDispose]: () => cleanup.disposeAsync(),
  }
}

/** A clock that runs with the machine's, except that pauses pass in a few milliseconds: enough for pebble to work. */
export function createSkippingClock(): Clock & { readonly sleptMs: number[] } {
  let skippedMs = 0
  const sleptMs: number[] = []
  return {
    sleptMs,
    now: () => systemClock.now() + skippedMs,
    async sleep(delayMs, signal) {
      sleptMs.push(delayMs)
      await systemClock.sleep(Math.min(delayMs, 5), signal)
      skippedMs += delayMs
    },
  }
}

/** Accounts as storage keeps them, in memory. */
export function createMemoryAccounts(): AccountStore & { readonly kept: Map<string, AcmeAccount> } {
  const kept = new Map<string, AcmeAccount>()
  return {
    kept,
    find: async (directoryUrl) => kept.get(directoryUrl),
    keep: async (account) => {
      const first = kept.get(account.directoryUrl) ?? account
      kept.set(account.directoryUrl, first)
      return first
    },
    setUrl: async (directoryUrl, url) => {
      const account = kept.get(directoryUrl)
      if (account) kept.set(directoryUrl, { ...account, url })
    },
  }
}

type IssuerOptions = Omit<Parameters<typeof createAcmeIssuer>[1], 'directoryUrl'>

/** An issuer as one instance of the service has it; two of them share nothing but the account store. */
export function createTestIssuer(
  ca: { directoryUrl: string; caPem: string },
  {
    clock = createSkippingClock(),
    accounts = createMemoryAccounts(),
    ...options
  }: IssuerOptions & { clock?: Clock; accounts?: AccountStore } = {},
): Issuer {
  const transport = createAcmeTransport({ caPem: ca.caPem, timeoutMs: HUNG_AFTER_MS })
  const capabilities = { transport, clock, random: () => 0.5, accounts }
  return createAcmeIssuer(capabilities, { directoryUrl: ca.directoryUrl, ...options })
}

export async function beginOrder(
  issuer: Issuer,
  names: string[],
  { type, replacesPem }: { type?: ChallengeType; replacesPem?: string } = {},
): Promise<{ order: IssuanceOrder; privateKeyPem: string }> {
  const privateKeyPem = await createPrivateKeyPem()
  const order = issuer.begin({
    names,
    csr: await createCsr(names, privateKeyPem),
    ...(type ? { challengeTypes: [type] } : {}),
    replacesPem,
  })
  return { order, privateKeyPem }
}

interface FinishNeeds {
  issuer: Issuer
  responder: { serve(answers: readonly ChallengeAnswer[]): void }
  clock?: Clock
  /** A CA that fails by chance does so more often now and then, and a reconciler never gives up. */
  stallsMax?: number
}

/** Runs an order to its end as a reconciler would: a CA that is out of reach is asked again, a few times. */
export async function finishOrder(
  { issuer, responder, clock = createSkippingClock(), stallsMax = 5 }: FinishNeeds,
  order: IssuanceOrder,
): Promise<OrderEnd> {
  let stored = order
  const save = async (next: IssuanceOrder) => {
    stored = JSON.parse(JSON.stringify(next)) as IssuanceOrder
    responder.serve(stored.answers)
  }
  responder.serve(stored.answers)
  for (let stalls = 0; ; stalls++) {
    const end = await runOrder({ issuer, clock, save }, stored, { patienceMs: 30 * MINUTE_MS })
    if (order.step === 'planned' && end.result === 'failed' && isAuthorityLate(end.problem.detail)) {
      stored = order
      continue
    }
    if (end.result !== 'stalled' || stalls === stallsMax) return end
    await clock.sleep(end.problem.retryAfterMs ?? MINUTE_MS)
  }
}

/** Pebble waits two seconds for an answer of DNS, in which a machine can stand still; it is ordered again then. */
const isAuthorityLate = (detail: string | null | undefined) => /i\/o timeout/.test(detail ?? '')
