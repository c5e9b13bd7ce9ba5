/**
 * Where answers cannot be kept, the same question that several callers ask at once is asked of the database
 * once. Exact: a caller only ever joins a question that has not been sent yet, so that the answer is never
 * older than the call.
 */
export class SingleFlight<Answer> {
  readonly #gathering = new Map<string, Promise<Answer>>()
  readonly #asking = new Map<string, Promise<unknown>>()

  ask(question: string, find: () => Promise<Answer>): Promise<Answer> {
    const gathering = this.#gathering.get(question)
    if (gathering) return gathering
    const next = this.#afterTheLast(question, find)
    this.#gathering.set(question, next)
    return next
  }

  async #afterTheLast(question: string, find: () => Promise<Answer>): Promise<Answer> {
    await this.#asking.get(question)
    // Callers of this turn of the event loop still join.
    await new Promise((resolve) => setImmediate(resolve))
    this.#gathering.delete(question)
    const asking = find()
    const settled = asking.then(
      () => {},
      () => {},
    )
    this.#asking.set(question, settled)
    try {
      return await asking
    } finally {
      if (this.#asking.get(question) === settled) this.#asking.delete(question)
    }
  }
}
