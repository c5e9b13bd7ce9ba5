import type { Clock } from '../platform/clock.ts'
import { publishChange } from '../platform/storage/change-feed.ts'
import { defineWrite, type Storage } from '../platform/storage/storage.ts'

/** Announced with a noun and the ids of projects, `pet 3 17`, or with `pet *` when there are too many to name. */
const PROGRAM_CHANGES_TOPIC = 'changes by programs'

export type StoreNoun = 'pet' | 'order'

/** With the streams of pages, which tell four times a second, a change is seen within a second. */
const TELL_EVERY_MS = 500
const PROJECTS_MAX = 500

const tell = defineWrite(
  'events.tell',
  async (db, { subjects, now }: { subjects: readonly string[]; now: number }, engine) => {
    for (const subject of subjects) await publishChange(db, engine, PROGRAM_CHANGES_TOPIC, subject, now)
  },
)

/**
 * Tells all instances whose animals and orders programs have changed, where the store does not count that itself
 * (PostgreSQL): one transaction in half a second, however many requests and projects there were, and none where
 * nothing was changed.
 */
export class ProgramChanges implements AsyncDisposable {
  readonly #storage: Storage
  readonly #clock: Clock
  #changed = new Map<StoreNoun, Set<number>>()
  #timer: NodeJS.Timeout | undefined

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage
    this.#clock = clock
  }

  note(projectId: number, noun: StoreNoun): void {
    let projects = this.#changed.get(noun)
    if (!projects) this.#changed.set(noun, (projects = new Set()))
    projects.add(projectId)
    this.#timer ??= setTimeout(() => void this.#tell(), TELL_EVERY_MS)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearTimeout(this.#timer)
    await this.#tell()
  }

  /** What cannot be told is seen by the pages when they next ask for everything. */
  async #tell(): Promise<void> {
    const changed = this.#changed
    this.#changed = new Map()
    this.#timer = undefined
    if (changed.size === 0) return
    const subjects = [...changed].map(
      ([noun, projects]) => `${noun} ${projects.size > PROJECTS_MAX ? '*' : [...projects].join(' ')}`,
    )
    await this.#storage.write(tell, { subjects, now: this.#clock.now() }).catch(() => {})
  }
}

/** Calls back with each noun and whose it is. */
export function onProgramChanges(
  changes: { on(topic: string, listener: (subject: string) => void): void },
  listener: (noun: string, isOf: (projectId: number) => boolean) => void,
): void {
  changes.on(PROGRAM_CHANGES_TOPIC, (subject) => {
    const [noun = '', ...projects] = subject.split(' ')
    listener(noun, (projectId) => projects[0] === '*' || projects.includes(String(projectId)))
  })
}
