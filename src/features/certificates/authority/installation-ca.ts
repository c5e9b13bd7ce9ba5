import { MINUTE_MS, type Clock } from '../../../platform/clock.ts'
import { makeOnce } from '../../../platform/single-flight.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { InternalCa } from './internal-ca.ts'
import { INTERNAL_CA_ID, type Issuer, plannedOrder } from '../issuer.ts'
import { listRevoked, recordRevocation, revokedRow } from './revocations.ts'
import { openRoot } from './root.ts'
import type { Vault } from '../vault.ts'

/** The internal CA of this installation, with its root in the database. */
export interface InstallationCa extends Issuer {
  issue: InternalCa['issue']
  rootPem(): Promise<string>
  /** In DER; what has been revoked anywhere is in it within a minute. */
  revocationList(): Promise<Uint8Array>
}

interface InstallationCaNeeds {
  storage: Storage
  clock: Clock
  vault: Vault
  /** Where clients find the revocation list. */
  crlUrl: string | undefined
}

/** Anybody may ask for the list: it costs one signature in this time. */
const LIST_HELD_MS = MINUTE_MS

/** Opens at once: the X.509 library, 0.15 s of CPU time, is loaded when the first certificate is made. */
export function openInstallationCa({ storage, clock, vault, crlUrl }: InstallationCaNeeds): InstallationCa {
  const root = makeOnce(() => openRoot(storage, vault, clock))
  const opened = makeOnce(async () => {
    const { createInternalCa } = await import('./internal-ca.ts')
    return createInternalCa({ clock }, { root: await root(), crlUrl })
  })
  const signList = async () => (await opened()).revocationList(await listRevoked(storage.read, clock.now()))
  let list = makeOnce(signList)
  let listHeldUntil = 0

  return {
    id: INTERNAL_CA_ID,
    rootPem: async () => (await root()).certificatePem,
    issue: async (names) => (await opened()).issue(names),
    begin: (request) => plannedOrder(INTERNAL_CA_ID, request),
    advance: async (order, signal) => (await opened()).advance(order, signal),
    renewalAdvice: async (certificatePem, signal) => (await opened()).renewalAdvice(certificatePem, signal),

    async revoke(certificatePem, reason) {
      await storage.write(recordRevocation, revokedRow(certificatePem, reason, clock.now()))
      listHeldUntil = 0
      return { revoked: true }
    },

    revocationList() {
      if (listHeldUntil <= clock.now()) {
        list = makeOnce(signList)
        listHeldUntil = clock.now() + LIST_HELD_MS
      }
      return list()
    },
  }
}
