import type { Clock } from '../../../platform/clock.ts'
import { plannedOrder, type Issuer } from '../issuer.ts'
import { createAccountKeeper, type AccountOptions, type AccountStore } from './account.ts'
import { AcmeError } from './acme-error.ts'
import { createAcmeClient, type OrderOptions } from './client.ts'
import { createAcmeConnection } from './connection.ts'
import { problemFromError } from './issuance-problem.ts'
import { createOrderSteps } from './order-steps.ts'
import { fetchRenewalAdvice, renewalIdentifier } from './renewal-info.ts'
import type { AcmeTransport } from './transport.ts'

interface AcmeIssuerNeeds {
  transport: AcmeTransport
  clock: Clock
  /** Numbers from 0 up to 1, for pauses. */
  random: () => number
  accounts: AccountStore
}

/** An issuer at any CA that speaks RFC 8555; its id is the directory's address. */
export function createAcmeIssuer(
  { transport, clock, random, accounts }: AcmeIssuerNeeds,
  options: AccountOptions & OrderOptions,
): Issuer {
  const connection = createAcmeConnection({ transport, clock, random }, options.directoryUrl)
  const account = createAccountKeeper({ store: accounts, connection }, options)
  const client = createAcmeClient({ connection, account, clock }, options)
  const advance = createOrderSteps({ client, clock })

  return {
    id: options.directoryUrl,

    begin(request) {
      const replaces = request.replacesPem ? renewalIdentifier(request.replacesPem) : undefined
      return plannedOrder(options.directoryUrl, request, replaces)
    },

    advance,

    async revoke(certificatePem, reason, signal) {
      try {
        await client.revoke(certificatePem, reason, signal)
        return { revoked: true }
      } catch (error) {
        if (!(error instanceof AcmeError)) throw error
        return { revoked: false, problem: problemFromError(error, undefined) }
      }
    },

    renewalAdvice: (certificatePem, signal) => fetchRenewalAdvice({ connection, clock }, certificatePem, signal),
  }
}
