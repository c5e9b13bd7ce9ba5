import type { Observation } from '../observation/observation.ts'
import { type Finding, isWrong, type JudgedView } from './judge-record.ts'
import { listed, type Problem, problemFrom, type Words } from './problem.ts'
import { nameOf, type ServerView } from './server-view.ts'
import { beginningOf } from '../../../platform/schema.ts'

/** Whether the nameservers let us answer for dns-01; unclear where none of them says anything about it. */
export function delegationOf(
  answered: readonly JudgedView[],
  challengeTarget: string | undefined,
): 'ours' | 'not ours' | 'unclear' {
  if (challengeTarget === undefined || answered.length === 0) return 'not ours'
  const told = answered.filter(({ view }) => view.challengeFailure === undefined)
  if (told.length === 0) return 'unclear'
  return told.every(({ view }) => leadsTo(view, challengeTarget)) ? 'ours' : 'not ours'
}

/** Nameservers that answer for the hostname and not for its challenges; a warning while another one does. */
export function unansweredChallenge(
  { queries }: Observation,
  answered: readonly JudgedView[],
  { words, isElsewhere }: { words: Words; isElsewhere: boolean },
): Problem | undefined {
  const silent = answered.flatMap(({ view }) => (view.challengeFailure === undefined ? [] : [view]))
  if (silent.length === 0) return undefined
  return problemFrom('challenge_unanswered', words, {
    words: {
      servers: listed(silent.map(nameOf)),
      answer: listed(silent.map(({ challengeFailure = '' }) => challengeFailure)),
    },
    evidence: queries.filter(({ purpose }) => purpose === 'challenge').map(({ id }) => id),
    ...(silent.length < answered.length || !isElsewhere ? { severity: 'warning' as const } : {}),
  })
}

/** What keeps a hostname that leads elsewhere from having its certificate before it leads here. */
export function judgePreparation(
  view: ServerView,
  { proof, challengeTarget = '' }: { proof: string | null; challengeTarget?: string },
): Finding[] {
  const findings: Finding[] = []
  const { proofs, challenges } = view
  if (proof !== null && !proofs.some(({ data }) => data.trim() === proof)) {
    const found = proofs.map(({ data }) => `“${beginningOf(data, 100)}”`)
    findings.push({ code: found.length === 0 ? 'proof_missing' : 'proof_differs', found })
  }
  if (view.challengeFailure === undefined && !leadsTo(view, challengeTarget)) {
    const found = challenges.map(({ data }) => data)
    findings.push({ code: found.length === 0 ? 'challenge_missing' : 'challenge_differs', found })
  }
  return findings
}

/** A proxy before a site that was verified once: what is wrong with its records is how it is meant. */
export function asProxied({ view }: JudgedView): JudgedView {
  const found = [...view.cnames, ...view.addresses].map(({ type, data }) => `${type} ${data}`)
  return { view, findings: [{ code: 'leads_elsewhere', found: found.length > 0 ? found : ['no record'] }] }
}

export const leadsHere = (answered: readonly JudgedView[]) => !answered.some(({ findings }) => findings.some(isWrong))

const leadsTo = ({ challenges }: ServerView, target: string) =>
  challenges.length === 1 && challenges[0]!.data === target
