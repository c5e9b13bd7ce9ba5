import { isOpen, isWrong, type JudgedView } from './judge-record.ts'
import { listed, type Problem, problemFrom, type Words, writtenTime } from './problem.ts'
import { nameOf, type ServerView } from './server-view.ts'

/**
 * Nameservers that give different answers, with the latest time by which everybody sees the right one: a server with
 * an older serial fetches the new zone within refresh + retry of its SOA, and caches keep its answer for its TTL.
 * Undefined when all agree.
 */
export function disagreement(judged: readonly JudgedView[], words: Words): Problem | undefined {
  const right = judged.filter(({ findings }) => !findings.some(isWrong)).map(({ view }) => view)
  const wrong = judged.filter(({ findings }) => findings.some(isWrong) && !findings.some(isOpen))
  const kinds = new Set(wrong.map(({ findings }) => findings.map(({ code }) => code).join()))
  if (kinds.size === 0 || (right.length === 0 && kinds.size === 1)) return undefined

  const views = wrong.map(({ view }) => view)
  const lagging = views.filter((view) => judged.some((other) => lagsBehind(view, other.view)))
  const agreeBy = Math.max(0, ...lagging.map((view) => view.at + refreshSeconds(view) * 1000))
  const untils = views.map((view) => {
    const forgets = lagging.includes(view) ? refreshSeconds(view) + view.cacheSeconds : view.cacheSeconds
    return view.at + forgets * 1000
  })
  const cachesExpireBy = Math.max(...untils)
  const caches = `caches forget the old answer by ${writtenTime(cachesExpireBy)} at the latest`
  const agree = agreeBy === 0 ? caches : `the nameservers agree by ${writtenTime(agreeBy)}, and ${caches}`
  return problemFrom('nameservers_disagree', words, {
    words: {
      right: right.length === 0 ? 'None' : listed(right.map(nameOf)),
      wrong: listed(wrong.map((each) => `${nameOf(each.view)} gives ${answerOf(each)}`)),
      expectation: agree,
    },
    evidence: judged.flatMap(({ view }) => view.evidence),
    // With the same serial everywhere no transfer is on its way: it is a fault that stays.
    severity: lagging.length > 0 ? 'transient' : 'blocking',
    cachesExpireBy,
  })
}

function answerOf({ view: { cnames, addresses, beside, nxdomain }, findings }: JudgedView): string {
  const codes = findings.filter(isWrong).map(({ code }) => code)
  if (codes.every((code) => code === 'proof_missing')) return 'no TXT proof'
  if (codes.every((code) => code === 'proof_differs')) return 'another TXT proof'
  if (codes.every((code) => PREPARATION.has(code))) return 'not both records of the preparation'
  const records = [...[...cnames, ...addresses].map(({ type, data }) => `${type} ${data}`), ...beside]
  return records.length > 0 ? records.join(', ') : nxdomain ? 'NXDOMAIN' : 'no record'
}

/** Serials run in a circle of 2^32 (RFC 1982). */
function lagsBehind(view: ServerView, other: ServerView): boolean {
  if (view.soa === undefined || other.soa === undefined) return false
  const ahead = (other.soa.data.serial - view.soa.data.serial) >>> 0
  return ahead !== 0 && ahead < 0x8000_0000
}

function refreshSeconds({ soa }: ServerView): number {
  return soa === undefined ? 0 : Math.min(soa.data.refresh + soa.data.retry, REFRESH_SECONDS_MAX)
}

const PREPARATION = new Set<string>(['proof_missing', 'proof_differs', 'challenge_missing', 'challenge_differs'])

// Nobody waits longer than DNS is said to take at most.
const REFRESH_SECONDS_MAX = 48 * 3600
