import { X509Certificate } from 'node:crypto'
import type { Clock } from '../../../platform/clock.ts'
import { readRetryAfter } from '../../../platform/http/wire/retry-after.ts'
import { REVOCATION_REASONS, type IssuanceOrder, type RevocationReason } from '../issuer.ts'
import { readLocation, type AccountKeeper } from './account.ts'
import { AcmeError, hasType } from './acme-error.ts'
import { chooseChain } from './chain-choice.ts'
import type { AcmeConnection } from './connection.ts'
import { Authorization, ChallengeMessage, type Directory, OrderMessage, readMessage } from './messages.ts'
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

export interface OrderOptions {
  /** The authority's profile to order by; left out where the authority does not offer it. */
  profile?: string | undefined
  /** Told at every order that has to do without it. */
  onUnknownProfile?: ((profile: string, offered: readonly string[]) => void) | undefined
  /** Common name of the root that the chain should lead to, where there is a choice. */
  preferredChain?: string | undefined
}

const CHAIN_TYPE = 'application/pem-certificate-chain'

export function createAcmeClient(
  { connection, account, clock }: AcmeClientNeeds,
  { profile, onUnknownProfile, preferredChain }: OrderOptions = {},
): AcmeClient {
  const downloadChain = (url: string, signal?: AbortSignal) =>
    account.post(url, undefined, { accept: CHAIN_TYPE, signal })

  const readOrder = (response: AcmeResponse): OrderState => ({
    ...readMessage(response, OrderMessage),
    retryAfterMs: readRetryAfter(response.headers['retry-after'], clock.now()),
  })

  return {
    thumbprint: async (signal) => (await account.current(signal)).key.thumbprint,

    async newOrder(order, signal) {
      const directory = await connection.directory(signal)
      const identifiers = order.names.map((value) => ({ type: 'dns', value }))
      let extras: OrderExtras = {
        ...(directory.renewalInfo === undefined || order.replaces === null ? {} : { replaces: order.replaces }),
        ...offeredProfile(directory),
      }
      for (;;) {
        try {
          const response = await account.post(directory.newOrder, { identifiers, ...extras }, { signal })
          return { url: readLocation(response), state: readOrder(response) }
        } catch (error) {
          const fewer = withoutRefused(extras, error)
          if (fewer === undefined) throw error
          extras = fewer
        }
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
      const first = await downloadChain(url, signal)
      return chooseChain(first, preferredChain, (alternate) => downloadChain(alternate, signal))
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

  /** An authority that has dropped a profile goes on being asked: a renewal matters more than its kind. */
  function offeredProfile({ meta }: Directory): OrderExtras {
    if (profile === undefined) return {}
    const offered = Object.keys(meta?.profiles ?? {})
    if (offered.includes(profile)) return { profile }
    onUnknownProfile?.(profile, offered)
    return {}
  }
}

/** What an order may say beside its names. */
interface OrderExtras {
  replaces?: string
  profile?: string
}

/** The same without what the authority will not have; undefined when that is not the trouble. */
function withoutRefused({ replaces, profile }: OrderExtras, error: unknown): OrderExtras | undefined {
  if (profile !== undefined && hasType(error, 'invalidProfile')) return replaces === undefined ? {} : { replaces }
  // The exemption from limits is lost, the renewal is not.
  if (replaces !== undefined && refusesPredecessor(error)) return profile === undefined ? {} : { profile }
  return undefined
}

const refusesPredecessor = (error: unknown) =>
  hasType(error, 'alreadyReplaced', 'malformed') ||
  (error instanceof AcmeError && (error.status === 404 || error.status === 409))
