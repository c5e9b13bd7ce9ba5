import './tables.ts'
import { type Clock, HOUR_MS } from '../../platform/clock.ts'
import { defineWrite, type Storage } from '../../platform/storage/storage.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { hurryWork } from '../../platform/work/lease.ts'
import { CERTIFICATE_QUEUE } from '../domains/topics.ts'

/**
 * Hostnames whose certificate is of an authority that is not asked any more, such as the internal CA where there is
 * another now: it is looked at by itself when it ends, and browsers may know no such authority.
 */
async function listForeign(db: Db, issuers: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('certificates')
    .select('hostname')
    .where('issuer', 'not in', issuers)
    // The same once more, as the index can answer it: as a rule there is none, and a table of chains is long to read.
    .where(({ and, eb }) => and(issuers.map((id) => eb('issuer', '<', id).or('issuer', '>', id))))
    .where('revoked_at', 'is', null)
    // One that is wanted has its time already, by the budgets too.
    .where('hostname', 'not in', (eb) => eb.selectFrom('issuances').select('hostname'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('certificates as newer')
            .select('newer.id')
            .whereRef('newer.hostname', '=', 'certificates.hostname')
            .whereRef('newer.issued_at', '>', 'certificates.issued_at')
            .where('newer.revoked_at', 'is', null),
        ),
      ),
    )
    .execute()
  return [...new Set(rows.map(({ hostname }) => hostname))]
}

const hurryForeign = defineWrite(
  'certificates.hurryForeign',
  (db, { subjects, now }: { subjects: readonly string[]; now: number }, engine) =>
    hurryWork(db, engine, { queue: CERTIFICATE_QUEUE, subjects, now }),
)

interface ForeignNeeds {
  storage: Storage
  clock: Clock
  /** The ids of those that are asked now. */
  issuers: readonly string[]
  onError: (error: unknown) => void
}

/**
 * Has them replaced soon. It looks for them now and every hour: while instances are replaced, one that has the settings
 * from before may issue some more, or take such a look for itself and find nothing to do.
 */
export class ForeignCertificates implements AsyncDisposable {
  readonly #needs: ForeignNeeds
  readonly #stop = new AbortController()
  #looking: Promise<void> = Promise.resolve()

  constructor(needs: ForeignNeeds) {
    this.#needs = needs
  }

  /** Resolves when it has looked once, or could not. */
  async start(): Promise<void> {
    await this.#look()
    this.#looking = this.#goOn()
  }

  async #goOn(): Promise<void> {
    const { clock } = this.#needs
    for (;;) {
      await clock.sleep(HOUR_MS, this.#stop.signal)
      if (this.#stop.signal.aborted) return
      await this.#look()
    }
  }

  async #look(): Promise<void> {
    const { storage, clock, issuers, onError } = this.#needs
    try {
      const subjects = await listForeign(storage.read, issuers)
      if (subjects.length > 0) await storage.write(hurryForeign, { subjects, now: clock.now() })
    } catch (error) {
      onError(error)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#looking
  }
}
