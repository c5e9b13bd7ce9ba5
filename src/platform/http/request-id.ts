import { randomBytes } from 'node:crypto'

/** Unique across processes by its random start, within one by counting: 30 ns instead of 300 for a UUID. */
export function requestIds(start = randomBytes(6).toString('hex')): (given: string | string[] | undefined) => string {
  let count = 0
  return (given) => {
    // A caller's own id is kept so that both sides can search for it; a key, or what could forge a log line, is not.
    if (typeof given === 'string' && /^(?!.*ps_(?:live|test)_)[\w.:-]{1,128}$/.test(given)) return given
    return `req_${start}${(++count).toString(36)}`
  }
}
