import { type Finding, isWrong, type JudgedView } from './judge-record.ts'
import type { ServerView } from './server-view.ts'

/** Whether every nameserver that answers lets us answer for dns-01. */
export function isDelegated(answered: readonly JudgedView[], challengeTarget: string | undefined): boolean {
  if (challengeTarget === undefined || answered.length === 0) return false
  return answered.every(({ view }) => leadsTo(view, challengeTarget))
}

/** What keeps a hostname that leads elsewhere from having its certificate before it leads here. */
export function judgePreparation(
  view: ServerView,
  { proof, challengeTarget = '' }: { proof: string | null; challengeTarget?: string },
): Finding[] {
  const findings: Finding[] = []
  const { proofs, challenges } = view
  if (proof !== null && !proofs.some(({ data }) => data.trim() === proof)) {
    const found = proofs.map(({ data }) => `“${data.slice(0, 100)}”`)
    findings.push({ code: found.length === 0 ? 'proof_missing' : 'proof_differs', found })
  }
  if (!leadsTo(view, challengeTarget)) {
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
