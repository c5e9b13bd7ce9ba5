import { isOwner, removeMembersOfProject, takeMemberTurn } from '../features/accounts/member-writes.ts'
import { hasRevocationWish, takeTurnsOfProject } from '../features/domains/claims.ts'
import { removeDomainsOfProject } from '../features/domains/writes.ts'
import { deleteSomeUsage, revokeKeysOfProject } from '../features/keys/writes.ts'
import { deleteSomeOrders } from '../features/orders/queries.ts'
import { deleteSomePets } from '../features/pets/queries.ts'
import { findProjectById, listDeletedProjects } from '../features/projects/queries.ts'
import { closeProject, deleteClosedProject, hideClosedProject } from '../features/projects/writes.ts'
import { removeEndpointsOfProject } from '../features/webhooks/endpoint-writes.ts'
import { deleteSomeCounts, deleteSomeFailed } from '../features/requests/writes.ts'
import { type Clock, HOUR_MS } from '../platform/clock.ts'
import { deleteSomeIdempotencyKeys } from '../platform/http/idempotency.ts'
import { deleteSomeMessages } from '../platform/outbox/messages.ts'
import { defineWrite, type Storage } from '../platform/storage/storage.ts'
import { takeTurn } from '../platform/storage/turns.ts'

interface Deletion {
  id: number
  /** The owner who deletes it; null for the operator. */
  accountId: string | null
  now: number
}

/** Ends the project for everybody at once: people, visitors, domains and keys, on every instance. */
export const deleteProjectRow = defineWrite(
  'projects.delete',
  async (db, input: Deletion, engine) => {
    await takeMemberTurn(db, engine, input.id)
    // Whoever asks may have been removed since the request was admitted.
    if (input.accountId !== null && !(await isOwner(db, input.id, input.accountId))) {
      const isThere = await findProjectById(db, input.id)
      return { kind: isThere ? ('not-owner' as const) : ('missing' as const) }
    }
    await takeTurnsOfProject(db, engine, input.id)
    const project = await closeProject(db, engine, input)
    if (!project) return { kind: 'missing' as const }
    await removeEndpointsOfProject(db, project.id)
    await removeDomainsOfProject(db, engine, project.id, input.now)
    const members = await removeMembersOfProject(db, project.id)
    await revokeKeysOfProject(db, engine, project.id, input.now)
    await hideClosedProject(db, input)
    return { kind: 'deleted' as const, project, members }
  },
  {
    note: (_, outcome) => {
      if (outcome.kind !== 'deleted') return undefined
      const { id: projectId, slug: subject, name } = outcome.project
      const deleted = { verb: 'project.delete', subject, details: { name } }
      // Nobody reads the log of a project that is gone: each member's own tells them, and the mail that follows.
      return [{ ...deleted, projectId }, ...outcome.members.map((accountId) => ({ ...deleted, accountId }))]
    },
  },
)

/** What may be millions of rows of one project. */
const LARGE = [
  deleteSomeMessages,
  deleteSomeOrders,
  deleteSomePets,
  deleteSomeUsage,
  deleteSomeCounts,
  deleteSomeFailed,
  deleteSomeIdempotencyKeys,
]

/** Takes away some rows of a deleted project; the project itself and what hangs on it go last. */
export const purgeStep = defineWrite('projects.purgeStep', async (db, { id }: { id: number }, engine) => {
  // Two instances at once would want the same rows: the second would find none, and take all the others at once.
  await takeTurn(db, engine, `purge of ${id}`)
  for (const deleteSome of LARGE) if (await deleteSome(db, id)) return { finished: false }
  // The wish is kept in the row of the domain, which goes with the project: a later look finds it taken on.
  if (!(await hasRevocationWish(db, id))) await deleteClosedProject(db, id)
  return { finished: true }
})

/** Finishes every deletion that has begun, also what another instance has left: a crash in between costs an hour. */
export class ProjectPurge implements AsyncDisposable {
  readonly #storage: Storage
  readonly #onError: (error: unknown) => void
  readonly #stop = new AbortController()
  #looking: Promise<void> | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(storage: Storage, onError: (error: unknown) => void) {
    this.#storage = storage
    this.#onError = onError
  }

  /** Looks now, and then every hour. */
  start(clock: Clock): void {
    this.#looking ??= this.#look(clock)
  }

  /** Resolves when everything that was deleted before is gone, but for what a wish to revoke still needs. */
  run(): Promise<void> {
    this.#running = this.#running.then(() => this.#purgeAll()).catch(this.#onError)
    return this.#running
  }

  async #look(clock: Clock): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.run()
      await clock.sleep(HOUR_MS, this.#stop.signal)
    }
  }

  async #purgeAll(): Promise<void> {
    for (const { id } of await listDeletedProjects(this.#storage.read)) {
      // One that fails is tried at the next look, and keeps no other.
      await this.#purge(id).catch(this.#onError)
    }
  }

  async #purge(id: number): Promise<void> {
    while (!this.#stop.signal.aborted && !(await this.#storage.write(purgeStep, { id })).finished);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#looking
    await this.#running
  }
}
