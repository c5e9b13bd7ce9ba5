import type { Span } from './history.ts'

export interface Write extends Span {
  readonly value: string
}

export interface Read extends Span {
  readonly value: string
}

/**
 * Whether one register, to which no value is written twice, behaved as if every write and read happened at one
 * moment between its start and its end (linearizability). After Gibbons and Korach: all that is known of a value
 * lies between the end of what ended first and the start of what started last. Two values whose zones of certain
 * life overlap cannot be put in an order, nor can one that must fit into another's life.
 */
export function registerViolations(writes: readonly Write[], reads: readonly Read[]): string[] {
  const zones = new Map<string, Zone>()
  for (const { value, start, end } of writes)
    zones.set(value, { value, writtenAt: start, firstEnd: end, lastStart: start, isRead: false })
  const violations: string[] = []
  for (const { value, start, end } of reads) {
    const zone = zones.get(value)
    if (!zone) violations.push(`"${value}" was read and never written`)
    else if (end < zone.writtenAt) violations.push(`"${value}" was read before it was written`)
    else {
      zone.isRead = true
      zone.firstEnd = Math.min(zone.firstEnd, end)
      zone.lastStart = Math.max(zone.lastStart, start)
    }
  }
  // A write of unknown outcome that nobody has seen may never have happened.
  const known = [...zones.values()].filter((zone) => zone.isRead || zone.firstEnd !== Infinity)
  const lives = known.filter(isLife).toSorted((one, other) => one.firstEnd - other.firstEnd)
  violations.push(...overlaps(lives))
  for (const moment of known.filter((zone) => !isLife(zone))) {
    // Lives do not overlap, so that only the last one that began before can hold the moment whole.
    const life = lives.findLast((life) => life.firstEnd < moment.lastStart)
    if (life && moment.firstEnd < life.lastStart)
      violations.push(`"${moment.value}" came and went while "${life.value}" was there before and after`)
  }
  return violations
}

interface Zone {
  readonly value: string
  readonly writtenAt: number
  firstEnd: number
  lastStart: number
  isRead: boolean
}

/** Something about the value had ended before something else about it started: in between it was there for sure. */
const isLife = (zone: Zone) => zone.firstEnd < zone.lastStart

function overlaps(lives: readonly Zone[]): string[] {
  return lives.slice(1).flatMap((life, index) => {
    const before = lives[index] as Zone
    return life.firstEnd < before.lastStart ? [`"${before.value}" was seen again after "${life.value}"`] : []
  })
}
