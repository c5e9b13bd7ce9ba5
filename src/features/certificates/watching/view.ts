import '../tables.ts'
import { iso, isoOrNull } from '../../../platform/iso-date.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { InstanceView } from '../../domains/view.ts'

/** What each instance was last seen to serve for a hostname. */
export function instanceViews({ storage }: { storage: Pick<Storage, 'read'> }) {
  return async (hostname: string): Promise<InstanceView[]> => {
    const rows = await storage.read
      .selectFrom('served_names')
      .selectAll()
      .where('hostname', '=', hostname)
      .orderBy('instance')
      .execute()
    return rows.map(({ instance, seen_at, serial, not_after, status, problem }) => ({
      instance,
      seenAt: iso(seen_at),
      serial,
      notAfter: isoOrNull(not_after),
      isChainWhole: serial !== null && problem !== 'chain_broken',
      status,
      problem,
    }))
  }
}
