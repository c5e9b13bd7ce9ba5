import { invalid, notFound, PetstoreError } from '../../platform/errors.ts'
import { iso } from '../../platform/iso-date.ts'
import { forgetFirstAttempts } from '../../platform/outbox/messages.ts'
import { object, refusals, shownText } from '../../platform/schema.ts'
import { type ChangeFeed, publishChange } from '../../platform/storage/change-feed.ts'
import { type AuditedStorage, defineWrite, type Storage } from '../../platform/storage/storage.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { findProjectBySlug, findProjectForUpdate } from './queries.ts'

const SUSPENSIONS_TOPIC = 'suspensions'

export const NewSuspension = object({
  reason: shownText(500),
})

export interface Suspension {
  /** For the members of the project; visitors of its site are told only that it is suspended. */
  reason: string
  since: string
}

/**
 * The projects that the operator has suspended, in memory: there are few, and every request asks. A change counts at
 * once in the process that made it and within half a second in the others.
 */
export class Suspensions {
  readonly #storage: Pick<Storage, 'read'>
  #suspended: ReadonlyMap<number, Suspension> = new Map()
  #loading: Promise<void> = Promise.resolve()

  constructor(storage: Pick<Storage, 'read'>, changes: Pick<ChangeFeed, 'on' | 'onGap'>) {
    this.#storage = storage
    changes.on(SUSPENSIONS_TOPIC, () => this.load())
    changes.onGap(() => this.load())
  }

  /** One after the other: the last one to begin is the last one to end. */
  load(): Promise<void> {
    this.#loading = this.#loading
      .catch(() => {})
      .then(async () => {
        const rows = await listSuspensions(this.#storage.read)
        this.#suspended = new Map(
          rows.map(({ project_id, reason, since }) => [project_id, { reason, since: iso(since) }]),
        )
      })
    return this.#loading
  }

  of(projectId: number): Suspension | undefined {
    return this.#suspended.get(projectId)
  }

  /** The caller again, unless the project is suspended. */
  admit<Of extends { projectId: number }>(caller: Of): Of {
    this.refuse(caller.projectId)
    return caller
  }

  /** Whoever calls for a suspended project learns why, and whom to ask. */
  refuse(projectId: number): void {
    const suspension = this.#suspended.get(projectId)
    if (suspension === undefined) return
    const sentence = `This project is suspended: ${suspension.reason}`
    throw new PetstoreError('forbidden', `${sentence.replace(/\.$/, '')}. Ask the operator of this platform.`)
  }
}

function listSuspensions(db: Db) {
  return db.selectFrom('suspensions').select(['project_id', 'reason', 'since']).execute()
}

/** Its sites answer with a page, its keys with 403, and its members can read and change nothing. */
export async function suspendProject(
  { storage }: { storage: AuditedStorage },
  { slug, reason, now }: { slug: string; reason: string; now: number },
): Promise<void> {
  const refused = refusals(NewSuspension, { reason })
  if (refused.length > 0) throw invalid(`The project was not suspended: ${refused.join(', ')}. Its members read it.`)
  await write(storage, { slug, reason: reason.trim(), now })
}

export async function resumeProject(
  { storage }: { storage: AuditedStorage },
  { slug, now }: { slug: string; now: number },
): Promise<void> {
  await write(storage, { slug, reason: undefined, now })
}

async function write(storage: AuditedStorage, input: SuspensionChange): Promise<void> {
  const outcome = await storage.write(changeSuspension, input)
  if (outcome.kind === 'missing') throw notFound(`There is no project "${input.slug}".`)
}

interface SuspensionChange {
  slug: string
  /** Undefined to end it. */
  reason: string | undefined
  now: number
}

const changeSuspension = defineWrite(
  'projects.changeSuspension',
  async (db, { slug, reason, now }: SuspensionChange, engine) => {
    const found = await findProjectBySlug(db, slug)
    const project = found && (await findProjectForUpdate(db, engine, found.id))
    if (!project) return { kind: 'missing' as const }
    const before = await db
      .selectFrom('suspensions')
      .select('reason')
      .where('project_id', '=', project.id)
      .executeTakeFirst()
    if (before?.reason === reason) return { kind: 'as-before' as const }
    if (reason === undefined) {
      await db.deleteFrom('suspensions').where('project_id', '=', project.id).execute()
      await forgetFirstAttempts(db, project.id)
    } else {
      await db
        .insertInto('suspensions')
        .values({ project_id: project.id, reason, since: now })
        .onConflict((conflict) => conflict.column('project_id').doUpdateSet({ reason }))
        .execute()
    }
    await publishChange(db, engine, SUSPENSIONS_TOPIC, String(project.id), now)
    return { kind: 'changed' as const, project }
  },
  {
    note: ({ reason }, outcome) => {
      if (outcome.kind !== 'changed') return undefined
      const { id: projectId, slug: subject } = outcome.project
      if (reason === undefined) return { verb: 'project.resume', subject, projectId }
      return { verb: 'project.suspend', subject, projectId, details: { reason } }
    },
  },
)
