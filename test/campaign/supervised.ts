const STARTS_MAX = 10

/** A start that finds no database that answers ends, and is tried again by whoever supervises it. */
export async function supervised<Started>(start: () => Promise<Started>): Promise<Started> {
  for (let tries = 1; ; tries++) {
    try {
      return await start()
    } catch (error) {
      if (tries === STARTS_MAX || !/database cannot be reached|too busy/.test(String(error))) throw error
    }
  }
}
