import { X509Certificate } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import { splitChain } from '../authority/issued-chain.ts'
import { REVOCATION_REASONS, type IssuanceOrder, type RevocationReason } from '../issuer.ts'
import { readLocation, type AccountKeeper } from './account.ts'
import { AcmeError, hasType } from './acme-error.ts'
import type { AcmeConnection } from './connection.ts'
import { Authorization, ChallengeMessage, OrderMessage, readMessage } from './messages.ts'
import { readRetryAfter } from './retry-after.ts'
import type { AcmeResponse } from './transport.ts'

export interface OrderState extends OrderMessage {
  retryAfterMs: number | null
}

/** The resources of RFC 8555, one method each. Fails with `AcmeError`. */
export interface AcmeClient {
  thumbprint(signal?: AbortSignal): Promise<string>
  newOrder(order: IssuanceOrder, signal?: AbortSignal): Promise<{ url: string; state: OrderState }>
  order(url: string, signal?: AbortSignal): Promise<OrderState>
  authorization(url: string, signal?: AbortSignal): Promise<Authorization>
  /** Tells the CA that the answer is in place; being told twice does no harm. */
  answerChallenge(url: string, signal?: AbortSignal): Promise<void>
  finalize(url: string, csr: string, signal?: AbortSignal): Promise<OrderState>
  certificateChain(url: string, signal?: AbortSignal): Promise<string>
  revoke(certificatePem: string, reason: RevocationReason, signal?: AbortSignal): Promise<void>
}

interface Capabilities {
  connection: AcmeConnection
  account: AccountKeeper
  clock: Clock
}

export interface ClientOptions {
  /** A certificate profile that the CA offers, such as `shortlived`. */
  profile?: string | null
  /** The common name of the root that a chain should lead to, where the CA offers several chains. */
  preferredRoot?: string | null
}

const ALTERNATES_MAX = 5
const CHAIN_TYPE = 'application/pem-certificate-chain'

export function createAcmeClient({ connection, account, clock }: Capabilities, options: ClientOptions): AcmeClient {
  const readOrder = (response: AcmeResponse): OrderState => ({
    ...readMessage(response, OrderMessage),
    retryAfterMs: readRetryAfter(response.headers['retry-after'], clock.now()),
  })

  const download = (url: string, signal?: AbortSignal) => account.post(url, undefined, { accept: CHAIN_TYPE, signal })

  return {
    thumbprint: async (signal) => (await account.current(signal)).key.thumbprint,

    async newOrder(order, signal) {
      const directory = await connection.directory(signal)
      requireProfile(directory.meta?.profiles)
      const place = async (replaces: string | null) => {
        const response = await account.post(
          directory.newOrder,
          {
            identifiers: order.names.map((value) => ({ type: 'dns', value })),
            ...(options.profile ? { profile: options.profile } : {}),
            ...(replaces === null ? {} : { replaces }),
          },
          { signal },
        )
        return { url: readLocation(response), state: readOrder(response) }
      }
      const replaces = directory.renewalInfo === undefined ? null : order.replaces
      try {
        return await place(replaces)
      } catch (error) {
        // The exemption from limits is lost, the renewal is not.
        if (replaces !== null && refusesPredecessor(error)) return place(null)
        throw error
      }
    },

    order: async (url, signal) => readOrder(await account.post(url, undefined, { signal })),

    authorization: async (url, signal) => readMessage(await account.post(url, undefined, { signal }), Authorization),

    async answerChallenge(url, signal) {
      try {
        await account.post(url, {}, { signal })
      } catch (error) {
        if (!hasType(error, 'malformed')) throw error
        const { status } = readMessage(await account.post(url, undefined, { signal }), ChallengeMessage)
        if (status === 'pending') throw error
      }
    },

    finalize: async (url, csr, signal) => readOrder(await account.post(url, { csr }, { signal })),

    async certificateChain(url, signal) {
      const response = await download(url, signal)
      const wanted = options.preferredRoot
      if (!wanted || leadsTo(response.body, wanted)) return response.body
      for (const alternate of alternateLinks(response).slice(0, ALTERNATES_MAX)) {
        const { body } = await download(alternate, signal)
        if (leadsTo(body, wanted)) return body
      }
      return response.body
    },

    async revoke(certificatePem, reason, signal) {
      const { revokeCert } = await connection.directory(signal)
      const certificate = new X509Certificate(certificatePem).raw.toString('base64url')
      try {
        await account.post(revokeCert, { certificate, reason: REVOCATION_REASONS[reason] }, { signal })
      } catch (error) {
        if (!hasType(error, 'alreadyRevoked')) throw error
      }
    },
  }

  function requireProfile(offered: Record<string, unknown> = {}) {
    if (!options.profile || Object.hasOwn(offered, options.profile)) return
    throw new AcmeError(
      'refused',
      `The CA offers no profile "${options.profile}"; it offers ${Object.keys(offered).join(', ') || 'none'}.`,
      { type: 'invalidProfile' },
    )
  }
}

const refusesPredecessor = (error: unknown) =>
  hasType(error, 'alreadyReplaced', 'malformed') ||
  (error instanceof AcmeError && (error.status === 404 || error.status === 409))

function leadsTo(chainPem: string, root: string): boolean {
  try {
    return splitChain(chainPem).at(-1)?.issuer.split('\n').includes(`CN=${root}`) ?? false
  } catch {
    return false
  }
}

/** `Link: <address>; rel="alternate"` (RFC 8555, 7.4.2). */
function alternateLinks({ headers, url }: AcmeResponse): string[] {
  const text = [headers.link ?? []].flat().join(', ')
  return [...text.matchAll(/<([^<>]{1,2048})>\s*;\s*rel="?alternate"?/gi)].flatMap(([, target = '']) => {
    const resolved = URL.parse(target, url)
    return resolved ? [resolved.href] : []
  })
}
