import { setImmediate } from 'node:timers/promises'
import { type Clock, MINUTE_MS } from '../../clock.ts'
import { conflict, type PetstoreError } from '../../errors.ts'
import { ENVIRONMENTS } from '../../http/operation.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { SingleFlight } from '../../single-flight.ts'
import type { Storage } from '../storage.ts'
import type { Db } from '../tables.ts'
import type { NumberedName } from './numbered-table.ts'

export interface RowLimit {
  rows: number
  /** What to do when it is reached, for people. */
  advice: string
}

export interface RowRoomNeeds {
  storage: Pick<Storage, 'read'>
  clock: Clock
  /** What the project's plan allows now. */
  limitOf(projectId: number): Promise<RowLimit>
}

interface Room {
  /** May be added before anybody looks again. */
  left: number
  used: number
  countedAt: number
}

/** Each process looks again after so many: so many times the processes is what may come to more than the limit. */
export const GRANT_MAX = 1000
const PROJECTS_MAX = 10_000
/** A page of a count takes less than a millisecond, and others are served in between. */
const ROWS_PER_PAGE = 5000

/**
 * How many rows of a table a project may have. Most requests find in memory that there is room; about one of a
 * thousand looks at the first and the last id of each environment. Only where these are too far apart, because the
 * project is full or rows between them are gone, the rows are counted, once in a minute.
 */
export class RowRoom {
  readonly #needs: RowRoomNeeds
  readonly #table: NumberedName
  /** As sentences call the rows. */
  readonly #what: string
  readonly #rooms = new Map<number, Room>()
  readonly #looks = new SingleFlight<RowLimit & { used: number }>()

  constructor(table: NumberedName, what: string, needs: RowRoomNeeds) {
    this.#table = table
    this.#what = what
    this.#needs = needs
  }

  /** Takes the places of so many rows, of a thousand at the most; or says why there are not so many. */
  take(projectId: number, rows = 1): MaybePromise<PetstoreError | undefined> {
    const room = this.#rooms.get(projectId)
    if (room === undefined || room.left < rows) return this.#takeAfterLook(projectId, rows)
    room.left -= rows
    room.used += rows
    return undefined
  }

  /** What is used, or, where that is far from the limit, perhaps a little more. */
  async used(projectId: number): Promise<number> {
    return (await this.#lookOnce(projectId)).used
  }

  async #takeAfterLook(projectId: number, wanted: number): Promise<PetstoreError | undefined> {
    const { rows, advice } = await this.#lookOnce(projectId)
    const left = this.#rooms.get(projectId)?.left ?? 0
    if (left >= wanted) return this.take(projectId, wanted)
    const has =
      left === 0
        ? `This project has all ${rows.toLocaleString('en')} ${this.#what} that its plan has room for`
        : `The plan of this project has room for ${left} more ${this.#what}, not for ${wanted}`
    return conflict(`${has}. Nothing was added. ${advice}`)
  }

  /** For everybody who asks at once: a full project may have a hundred million rows to count. */
  #lookOnce(projectId: number) {
    return this.#looks.join(String(projectId), () => this.#look(projectId))
  }

  async #look(projectId: number): Promise<RowLimit & { used: number }> {
    const { storage, clock, limitOf } = this.#needs
    const limit = await limitOf(projectId)
    const before = this.#rooms.get(projectId)
    let used = await this.#span(storage.read, projectId)
    let countedAt = before?.countedAt ?? -Infinity
    if (used >= limit.rows) {
      const isKnown = before !== undefined && clock.now() - countedAt < MINUTE_MS
      used = isKnown ? before.used : await this.#count(storage.read, projectId)
      if (!isKnown) countedAt = clock.now()
    }
    if (this.#rooms.size >= PROJECTS_MAX) this.#rooms.clear()
    this.#rooms.set(projectId, { left: Math.max(0, Math.min(limit.rows - used, GRANT_MAX)), used, countedAt })
    return { ...limit, used }
  }

  /** Never less than the rows that are there, because ids follow each other. */
  async #span(db: Db, projectId: number): Promise<number> {
    let sum = 0
    for (const environment of ENVIRONMENTS) {
      const last = await this.#rowsOf(db, projectId, environment).orderBy('id', 'desc').limit(1).executeTakeFirst()
      const first = await this.#rowsOf(db, projectId, environment).orderBy('id').limit(1).executeTakeFirst()
      if (first && last) sum += Number(last.id) - Number(first.id) + 1
    }
    return sum
  }

  async #count(db: Db, projectId: number): Promise<number> {
    let sum = 0
    for (const environment of ENVIRONMENTS) {
      for (let after: number | bigint | undefined; ;) {
        const rows = this.#rowsOf(db, projectId, environment).orderBy('id').limit(ROWS_PER_PAGE)
        const page = db.selectFrom((after === undefined ? rows : rows.where('id', '>', after)).as('page'))
        const { count, last } = await page
          .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('id').as('last')])
          .executeTakeFirstOrThrow()
        sum += Number(count)
        if (Number(count) < ROWS_PER_PAGE) break
        after = last
        await setImmediate()
      }
    }
    return sum
  }

  #rowsOf(db: Db, projectId: number, environment: string) {
    const rows = db.selectFrom(this.#table as 'pets').select('id')
    return rows.where('project_id', '=', projectId).where('environment', '=', environment)
  }
}
