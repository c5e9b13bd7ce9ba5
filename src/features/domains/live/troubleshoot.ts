import { iso, isoOrNull } from '../../../platform/iso-date.ts'
import type { DomainCheck } from '../check.ts'
import type { Diagnosis } from '../diagnosis/diagnose.ts'
import { type DomainActor, type DomainCapabilities, requireDomain, showDomain, targetOf } from '../domains.ts'
import type { Problem } from '../diagnosis/problem.ts'
import { checkServed, type LiveCheck } from './check.ts'
import type { ServedFetchOptions } from './fetch.ts'

/** What an order for a hostname would meet now: the certificates feature answers. */
export type BudgetOf = (hostname: string) => Promise<Budget>

export interface Budget {
  allowed: boolean
  /** When it opens; null when it is open. */
  at: number | null
  left: { limit: string; left: number }[]
}

export interface TroubleshootCapabilities extends DomainCapabilities {
  check: DomainCheck
  served: ServedFetchOptions
  budgetOf: BudgetOf
}

export type Step = 'verifies' | 'caa' | 'attempt' | 'served'

export interface TroubleshootingStep {
  step: Step
  ok: boolean
  title: string
  /** What was found at this moment. */
  finding: string
  /** What to do about it; null when there is nothing to do. */
  fix: string | null
}

export interface Troubleshooting {
  hostname: string
  at: string
  /** Since when a certificate is wanted that is not there; the list is for those that take longer than 30 minutes. */
  waitingSince: string | null
  late: boolean
  steps: TroubleshootingStep[]
  problems: Problem[]
  live: LiveCheck
}

const LATE_MS = 30 * 60_000

/** The contract's troubleshooting list, each rule with what is true at this moment. */
export async function troubleshoot(
  capabilities: TroubleshootCapabilities,
  actor: DomainActor,
  hostname: string,
): Promise<Troubleshooting> {
  const { clock } = capabilities
  const row = await requireDomain(capabilities, actor, hostname)
  const target = await targetOf(capabilities, row.project_id)
  const [{ diagnosis }, domain, budget, live] = await Promise.all([
    capabilities.check({ hostname: row.hostname, target, proof: null }),
    showDomain(capabilities, actor, row.hostname),
    capabilities.budgetOf(row.hostname),
    checkServed(capabilities, actor, row.hostname),
  ])
  const since = domain.issuance && domain.certificate === null ? domain.issuance.since : null
  return {
    hostname: row.hostname,
    at: iso(clock.now()),
    waitingSince: since,
    late: since !== null && clock.now() - Date.parse(since) >= LATE_MS,
    steps: [
      verifies(diagnosis),
      caa(diagnosis),
      {
        step: 'attempt',
        ok: budget.allowed,
        title: 'A new attempt is possible',
        finding: domain.issuance?.problem
          ? `The last attempt met this: ${domain.issuance.problem.message}`
          : domain.certificate
            ? `There is a certificate, good until ${domain.certificate.notAfter}.`
            : 'No attempt has failed so far.',
        fix: budget.allowed
          ? 'Choose Re-verify to start one now.'
          : `The authority’s limits allow the next one at ${isoOrNull(budget.at)}.`,
      },
      {
        step: 'served',
        ok: live.agrees,
        title: 'What is served agrees with what is stored',
        finding: live.findings[0]?.message ?? 'Every hop and the certificate are as they should be.',
        fix: live.findings[0]?.fix ?? null,
      },
    ],
    problems: diagnosis.problems,
    live,
  }
}

function verifies({ outcome, problems }: Diagnosis): TroubleshootingStep {
  const worst = problems.find(({ affects, severity }) => affects === 'verification' && severity !== 'warning')
  return {
    step: 'verifies',
    ok: outcome === 'passed',
    title: 'The domain still verifies',
    finding: worst ? `${worst.title}. ${worst.detail}` : 'All nameservers give the right answer.',
    fix: worst?.fix ?? null,
  }
}

function caa({ caa: verdict, problems }: Diagnosis): TroubleshootingStep {
  const found = problems.find(({ affects }) => affects === 'certificate')
  const decidedAt = verdict?.allowed ? verdict.decidedAt : null
  const allowed = decidedAt === null ? 'No CAA record forbids it.' : `The CAA records at ${decidedAt} allow it.`
  return {
    step: 'caa',
    ok: found === undefined,
    title: 'No CAA record blocks the certificate authority',
    finding: found ? `${found.title}. ${found.detail}` : allowed,
    fix: found?.fix ?? null,
  }
}

export interface DanglingDns {
  hostname: string
  removedAt: string
  /** Null when DNS gave no clear answer. */
  pointsHere: boolean | null
  /** What the nameservers answer. */
  answers: { nameserver: string; answers: string[] }[]
  advice: string
}

/** After removal: whether DNS still leads here. A record that is left behind shows visitors an error page. */
export async function findDangling(
  capabilities: DomainCapabilities & { check: DomainCheck },
  actor: DomainActor,
  hostname: string,
): Promise<DanglingDns> {
  const row = await requireDomain(capabilities, actor, hostname, { removedToo: true })
  const target = await targetOf(capabilities, row.project_id)
  const { diagnosis } = await capabilities.check({ hostname: row.hostname, target, proof: null })
  // One nameserver that still has the record is enough to send some visitors here.
  const isSomewhere = diagnosis.outcome === 'passed' || diagnosis.nameservers.some(({ isRight }) => isRight)
  const pointsHere = isSomewhere || (diagnosis.outcome === 'inconclusive' ? null : false)
  return {
    hostname: row.hostname,
    removedAt: iso(row.removed_at ?? capabilities.clock.now()),
    pointsHere,
    answers: diagnosis.nameservers.map(({ nameserver, answers }) => ({ nameserver, answers })),
    advice: pointsHere
      ? `The DNS record of ${row.hostname} still leads here, where nothing is served for it any more: delete it.`
      : pointsHere === null
        ? `DNS gave no clear answer for ${row.hostname}. Look again in a while.`
        : `${row.hostname} no longer leads here.`,
  }
}
