import type { Db } from '../../platform/storage/tables.ts'
import { challengeName, type ChallengeZone, hasChallengeName } from './preparation/challenge-zone.ts'
import { type ProofNeed, proofNeedOf } from './claims.ts'
import type { Diagnosis, Expectation } from './diagnosis/diagnose.ts'
import type { CaaExpectation } from './diagnosis/judge-caa.ts'
import { type DomainRow, stageOf } from './facts.ts'
import { domainNameOf } from './hostname-input.ts'
import type { Lookups } from './observation/lookups.ts'
import { findTarget } from './queries.ts'
import { proofName } from './record.ts'
import type { DomainShares } from './observation/shares.ts'

interface DnsCheckNeeds {
  lookups: Pick<Lookups, 'check'>
  shares: Pick<DomainShares, 'questions'>
  /** The edge's public addresses, beside those that the target has in DNS. */
  addresses: Expectation['addresses']
  /** Undefined where this installation has none. */
  challengeZone: Pick<ChallengeZone, 'nameFor'> | undefined
  /** What the issuer is called in CAA records; undefined while nobody can know it. */
  caa: () => Promise<CaaExpectation | undefined>
}

interface CheckSubject {
  /** Whose share its questions are taken from; nobody's for names of the platform. */
  projectId: number | undefined
  hostname: string
  target: string
  /** The TXT value to look for, and when it is needed; undefined when no proof is. */
  proof?: { value: string; need: Exclude<ProofNeed, 'none'> | 'preparation' } | undefined
  stage?: Expectation['stage'] | undefined
}

/** Asks DNS about a hostname and reads every problem out of the answers; `packed` is the evidence as it is stored. */
export type DnsCheck = (subject: CheckSubject) => Promise<{ packed: string; diagnosis: Diagnosis }>

/** What Verify asks about a domain: whoever explains what Verify says has to ask the same. */
export async function checkSubjectOf(
  db: Db,
  row: DomainRow,
  platformHost: string,
): Promise<{ subject: CheckSubject; proofAsked: ProofNeed }> {
  const target = await findTarget(db, row.project_id, platformHost)
  // Once verified, the proof has done its work and its record may go.
  const proofAsked = await proofNeedOf(db, row)
  const stage = stageOf(row)
  const need = proofAsked === 'none' && stage === 'preparing' ? ('preparation' as const) : proofAsked
  const proof = need === 'none' ? undefined : { value: row.proof, need }
  return { subject: { projectId: row.project_id, hostname: row.hostname, target, proof, stage }, proofAsked }
}

export function createDnsCheck({ lookups, shares, addresses, challengeZone, caa }: DnsCheckNeeds): DnsCheck {
  return async ({ projectId, hostname, target, proof, stage }) => {
    const { registrable } = domainNameOf(hostname)
    const challenges = hasChallengeName(hostname) ? challengeZone : undefined
    const subject = {
      hostname,
      registrable,
      target,
      proofName: proof === undefined ? null : proofName(hostname),
      ...(challenges && { challengeName: challengeName(hostname) }),
    }
    const expectation: Expectation = {
      addresses,
      proof: proof?.value ?? null,
      ...(proof && proof.need !== 'always' ? { proofFor: proof.need } : {}),
      ...(challenges && { challengeTarget: challenges.nameFor({ hostname, projectId }) }),
      ...(stage && { stage }),
      caa: (await caa()) ?? null,
    }
    const checked = await lookups.check(subject, expectation)
    if (projectId !== undefined) shares.questions.charge(projectId, checked.questions)
    return checked
  }
}
