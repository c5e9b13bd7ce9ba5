import { iso } from '../../../platform/iso-date.ts'
import type { RecordChange } from './change.ts'
import { PROBLEM_CODES, type ProblemCode, type ProblemDefinition, PROBLEMS, type Severity } from './problems.ts'

/** One problem of one diagnosis: the table's sentences with the observed values filled in. */
export interface Problem {
  code: ProblemCode
  severity: Severity
  affects: ProblemDefinition['affects']
  title: string
  detail: string
  fix: string
  /** The same as records, where changing records mends it. */
  change: RecordChange | null
  /** The ids of the queries that show it. */
  evidence: string[]
  /** If it is mended at the time of the observation, no cache holds the present answer any longer than this. */
  cachesExpireBy: number | null
}

export type Words = Record<string, string>

interface ProblemInput {
  words?: Words
  evidence?: readonly string[]
  severity?: Severity
  change?: RecordChange | null
  cachesExpireBy?: number | undefined
}

export function problemFrom(code: ProblemCode, common: Words, input: ProblemInput = {}): Problem {
  const definition: ProblemDefinition = PROBLEMS[code]
  const words = { ...common, ...input.words }
  return {
    code,
    severity: input.severity ?? definition.severity,
    affects: definition.affects,
    title: fill(definition.title, words),
    detail: fill(definition.detail, words),
    fix: fill(definition.fix, words),
    change: input.change ?? null,
    evidence: [...new Set(input.evidence)],
    cachesExpireBy: input.cachesExpireBy ?? null,
  }
}

/** What must be mended first comes first: blocking, then transient, then warnings, each in the table's order. */
export function inOrder(problems: readonly Problem[]): Problem[] {
  const rank = ({ severity, code }: Problem) => SEVERITIES.indexOf(severity) * 1000 + PROBLEM_CODES.indexOf(code)
  return problems.toSorted((a, b) => rank(a) - rank(b))
}

function fill(template: string, words: Words): string {
  return template.replace(/\{(\w+)\}/g, (placeholder, word: string) => words[word] ?? placeholder)
}

/** Minutes are enough, and rounding up keeps a promise of "at the latest". */
export function writtenTime(atMs: number): string {
  const minute = iso(Math.ceil(atMs / 60_000) * 60_000)
  return `${minute.slice(0, 10)} ${minute.slice(11, 16)} UTC`
}

export function listed(items: readonly string[]): string {
  const distinct = [...new Set(items)]
  if (distinct.length <= 1) return distinct.join('')
  return `${distinct.slice(0, -1).join(', ')} and ${distinct.at(-1)}`
}

const SEVERITIES: Severity[] = ['blocking', 'transient', 'warning']
