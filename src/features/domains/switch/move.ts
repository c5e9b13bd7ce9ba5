import { MINUTE_MS, SECOND_MS } from '../../../platform/clock.ts'
import { iso, isoOrNull } from '../../../platform/iso-date.ts'
import type { NameserverRow } from '../diagnosis/diagnose.ts'
import { writtenTime } from '../diagnosis/problem.ts'

/** What is known of a hostname's way here. */
export interface Move {
  oldAnswers: readonly string[]
  nameservers: readonly string[]
  oldTtlSeconds: number
  /** No cache holds what has been seen of the old answer any longer than this. */
  oldUntil: number
  oldSeenAt: number
  newSeenAt: number | null
  /** Since when every nameserver has answered, and none with the old answer. */
  allNewAt: number | null
}

/** Registries of the large top level domains let resolvers remember for two days which nameservers a zone has. */
const DELEGATION_SECONDS = 172_800

/**
 * The system tells a browser an address and no TTL: Chromium keeps it for a minute, Firefox for a second one while it
 * asks anew. What it was told in the last moment of a cache counts from there.
 */
const BROWSER_MS = 2 * MINUTE_MS

/**
 * One more look at the nameservers:
 *
 *     nothing ──old answer──► before ──one is new──► moving ──all are new──► moved
 *                                ▲                      ▲                     │
 *                                └──── old again ───────┴──── old again ──────┘
 *
 * Undefined while nothing was seen that could be moved away from.
 */
export function advanceMove(known: Move | undefined, rows: readonly NameserverRow[], now: number): Move | undefined {
  const answered = rows.filter(({ status }) => status === 'answered')
  const old = answered.filter(({ isHere, answers }) => !isHere && answers.some(isRecord))
  const isNewAnywhere = answered.some(({ isHere }) => isHere)
  if (old.length > 0) {
    const ttls = old.map(({ cacheSeconds }) => cacheSeconds)
    const oldTtlSeconds = Math.max(...ttls)
    return {
      oldAnswers: [...new Set(old.flatMap(({ answers }) => answers.filter(isRecord).map(withoutTtl)))].toSorted(),
      nameservers: namesOf(rows),
      oldTtlSeconds,
      oldUntil: Math.max(known?.oldUntil ?? 0, now + oldTtlSeconds * SECOND_MS),
      oldSeenAt: now,
      newSeenAt: isNewAnywhere ? (known?.newSeenAt ?? now) : null,
      allNewAt: null,
    }
  }
  if (known === undefined || !isNewAnywhere || known.allNewAt !== null) return known
  const newSeenAt = known.newSeenAt ?? now
  // A nameserver that is silent may still hand out the old answer to somebody else.
  if (rows.some((row) => row.status !== 'answered' && !isOnlyOurSide(row, answered))) return { ...known, newSeenAt }
  // Until just before this look an old answer may have been handed out, and remembered for its whole TTL. Where the
  // nameservers themselves are others now, the old ones may still be asked.
  const isSameZone = namesOf(rows).some((name) => known.nameservers.includes(name))
  const seconds = known.oldTtlSeconds + (isSameZone ? 0 : DELEGATION_SECONDS)
  return { ...known, newSeenAt, allNewAt: now, oldUntil: Math.max(known.oldUntil, now + seconds * SECOND_MS) }
}

/** A resolver that was asked still has the old answer until then. */
export function waitFor(move: Move | undefined, resolversUntil: number): Move | undefined {
  return move && resolversUntil > move.oldUntil ? { ...move, oldUntil: resolversUntil } : move
}

export interface MoveView {
  phase: 'before' | 'moving' | 'moved'
  /** What the hostname led to. */
  from: readonly string[]
  oldTtlSeconds: number
  oldSeenAt: string
  newSeenAt: string | null
  allNewAt: string | null
  /** When the old host may be switched off; null while a nameserver still leads there, or may. */
  oldHostUntil: string | null
  sentence: string
}

export function moveView(move: Move, now: number): MoveView {
  const until = move.allNewAt === null ? null : move.oldUntil + BROWSER_MS
  const phase = move.newSeenAt === null ? 'before' : until === null || until > now ? 'moving' : 'moved'
  return {
    phase,
    from: move.oldAnswers,
    oldTtlSeconds: move.oldTtlSeconds,
    oldSeenAt: iso(move.oldSeenAt),
    newSeenAt: isoOrNull(move.newSeenAt),
    allNewAt: isoOrNull(move.allNewAt),
    oldHostUntil: isoOrNull(until),
    sentence: sentenceOf(phase, move, until),
  }
}

function sentenceOf(phase: MoveView['phase'], { oldAnswers, oldTtlSeconds }: Move, until: number | null): string {
  const from = oldAnswers.join(', ')
  if (phase === 'before') return `Visitors are still led to ${from}. Caches remember that for ${oldTtlSeconds} s.`
  if (until === null) {
    return (
      `Not every nameserver has been seen to lead here yet; until then visitors may be led to ${from}. Keep the old ` +
      'host running.'
    )
  }
  if (phase === 'moving') {
    return (
      `Every nameserver leads here now. Some visitors may still be led to ${from} by a cache: keep the old host ` +
      `running until ${writtenTime(until)}.`
    )
  }
  return `Nobody is led to ${from} any more: since ${writtenTime(until)} the old host may be switched off.`
}

/** Without IPv6 of our own we reach no IPv6 address; the same nameserver says at another one what it has. */
const isOnlyOurSide = ({ status, nameserver }: NameserverRow, answered: readonly NameserverRow[]) =>
  status === 'unreachable' && answered.some((row) => row.nameserver === nameserver)

const isRecord = (answer: string) => /^(?:A|AAAA|CNAME) /.test(answer)
const withoutTtl = (answer: string) => answer.replace(/ \(TTL \d+\)$/, '')
const namesOf = (rows: readonly NameserverRow[]) => [...new Set(rows.map(({ nameserver }) => nameserver))].toSorted()
