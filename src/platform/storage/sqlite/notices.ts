import type { Notices, Storage } from '../storage.ts'

/** There is one writer, so that numbers become visible in their order. */
export class SqliteNotices implements Notices {
  readonly #storage: Storage
  #newest: number | undefined
  #version: number | undefined

  constructor(storage: Storage) {
    this.#storage = storage
  }

  async read() {
    const version = this.#storage.version()
    if (version === this.#version && this.#newest !== undefined) return { gap: false, notices: [] }
    const notices = await (this.#newest === undefined ? this.#last() : this.#since(this.#newest))
    const first = this.#newest === undefined
    this.#newest = notices.at(-1)?.seq ?? this.#newest ?? 0
    this.#version = version
    return { gap: false, notices: first ? [] : notices }
  }

  async end(): Promise<void> {}

  #since(seq: number) {
    return this.#storage.read.selectFrom('notices').selectAll().where('seq', '>', seq).orderBy('seq').execute()
  }

  #last() {
    return this.#storage.read.selectFrom('notices').selectAll().orderBy('seq', 'desc').limit(1).execute()
  }
}
