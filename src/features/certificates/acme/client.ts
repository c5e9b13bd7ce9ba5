import { X509Certificate } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import { REVOCATION_REASONS, type IssuanceOrder, type RevocationReason } from '../issuer.ts'
import { readLocation, type AccountKeeper } from './account.ts'
import { AcmeError, hasType } from './acme-error.ts'
import type { AcmeConnection } from './connection.ts'
import { Authorization, ChallengeMessage, OrderMessage, readMessage } from './messages.ts'
import { readRetryAfter } from './retry-after.ts'
import type { AcmeResponse } from './transport.ts'

export interface OrderState extends OrderMessage {
  retryAfterMs: number | undefined
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

interface AcmeClientNeeds {
  connection: AcmeConnection
  account: AccountKeeper
  clock: Clock
}

const CHAIN_TYPE = 'application/pem-certificate-chain'

export function createAcmeClient({ connection, account, clock }: AcmeClientNeeds): AcmeClient {
  const readOrder = (response: AcmeResponse): OrderState => ({
    ...readMessage(response, OrderMessage),
    retryAfterMs: readRetryAfter(response.headers['retry-after'], clock.now()),
  })

  return {
    thumbprint: async (signal) => (await account.current(signal)).key.thumbprint,

    async newOrder(order, signal) {
      const directory = await connection.directory(signal)
      const place = async (replaces?: string) => {
        const response = await account.post(
          directory.newOrder,
          {
            identifiers: order.names.map((value) => ({ type: 'dns', value })),
            ...(replaces === undefined ? {} : { replaces }),
          },
          { signal },
        )
        return { url: readLocation(response), state: readOrder(response) }
      }
      const replaces = directory.renewalInfo === undefined ? undefined : (order.replaces ?? undefined)
      try {
        return await place(replaces)
      } catch (error) {
        // The exemption from limits is lost, the renewal is not.
        if (replaces !== undefined && refusesPredecessor(error)) return place()
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

    certificateChain: async (url, signal) => (await account.post(url, undefined, { accept: CHAIN_TYPE, signal })).body,

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
}

const refusesPredecessor = (error: unknown) =>
  hasType(error, 'alreadyReplaced', 'malformed') ||
  (error instanceof AcmeError && (error.status === 404 || error.status === 409))
