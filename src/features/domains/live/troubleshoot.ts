import { iso } from '../../../platform/iso-date.ts'
import { refuseUsedUp } from '../../../platform/share.ts'
import type { Diagnosis } from '../diagnosis/diagnose.ts'
import { type Problem, writtenTime } from '../diagnosis/problem.ts'
import { checkSubjectOf, type DnsCheck } from '../dns-check.ts'
import { type DomainActor, requireDomain, showDomain } from '../domains.ts'
import { CERTIFICATE_LATE_MS } from '../lifecycle.ts'
import type { DomainView } from '../view.ts'
import { checkServed, type LiveCheck, type LiveCheckNeeds } from './check.ts'

/** Whether a person may start an attempt now; `isTold`: it is the authority itself that asked to wait. */
type Budget = { allowed: true } | { allowed: false; at: number; isTold: boolean }

export interface TroubleshootNeeds extends LiveCheckNeeds {
  check: DnsCheck
  /** The certificates feature answers. */
  budgetOf: (name: { hostname: string; projectId: number }) => Promise<Budget>
}

type Step = 'verifies' | 'caa' | 'attempt' | 'served'

interface TroubleshootingStep {
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

/** The contract's troubleshooting list, each rule with what is true at this moment. */
export async function troubleshoot(
  needs: TroubleshootNeeds,
  actor: DomainActor,
  hostname: string,
): Promise<Troubleshooting> {
  const { clock } = needs
  const row = await requireDomain(needs, actor, hostname)
  const { subject } = await checkSubjectOf(needs.storage.read, row, needs.platformHost)
  refuseUsedUp(needs.shares.questions, row.project_id, 'DNS questions')
  const [{ diagnosis }, domain, budget, live] = await Promise.all([
    needs.check(subject),
    showDomain(needs, actor, row.hostname),
    needs.budgetOf({ hostname: row.hostname, projectId: row.project_id }),
    checkServed(needs, actor, row.hostname),
  ])
  const since = domain.issuance && domain.certificate === null ? domain.issuance.since : null
  return {
    hostname: row.hostname,
    at: iso(clock.now()),
    waitingSince: since,
    late: since !== null && clock.now() - Date.parse(since) >= CERTIFICATE_LATE_MS,
    steps: [
      verificationStep(diagnosis, subject.stage === 'preparing'),
      caaStep(diagnosis),
      {
        step: 'attempt',
        ok: budget.allowed,
        title: 'A new attempt is possible',
        finding: domain.issuance?.problem
          ? `The last attempt met this: ${domain.issuance.problem.message}`
          : domain.certificate
            ? `There is a certificate, good until ${domain.certificate.notAfter}.`
            : 'No attempt has failed so far.',
        fix: attemptFix(diagnosis, budget),
      },
      {
        step: 'served',
        ok: live.findings.every(({ code }) => code === 'not_switched'),
        title: 'What is served agrees with what is stored',
        finding: servedFinding(domain, live),
        fix: live.findings[0]?.fix ?? null,
      },
    ],
    problems: diagnosis.problems,
    live,
  }
}

function servedFinding({ kind, visitName }: DomainView, { findings }: LiveCheck): string {
  const found = findings[0]?.message ?? 'Every hop and the certificate are as they should be.'
  return kind === 'wildcard' ? `${visitName} was asked, as one of the names that it stands for. ${found}` : found
}

function attemptFix({ problems }: Diagnosis, budget: Budget): string {
  if (!budget.allowed) {
    const at = writtenTime(budget.at)
    if (!budget.isTold) return `The limits that this service keeps to leave room for the next one at ${at}.`
    return `The certificate authority asked to be left alone until ${at}. Then the next one starts by itself.`
  }
  const isBlocked = problems.some(({ severity }) => severity === 'blocking')
  return isBlocked ? 'Mend what stands above, then choose Re-verify.' : 'Choose Re-verify to start one now.'
}

function verificationStep({ outcome, problems }: Diagnosis, isPreparing: boolean): TroubleshootingStep {
  const isPrepared = outcome === 'prepared'
  // What leads elsewhere and is served all the same has that told as a warning.
  const told = problems.find(
    ({ affects, severity }) => affects === 'verification' && (severity !== 'warning' || isPrepared),
  )
  const right = isPreparing && isPrepared ? 'Both are there.' : 'All nameservers give the right answer.'
  return {
    step: 'verifies',
    ok: outcome === 'passed' || isPrepared,
    title: isPreparing ? 'The records of the preparation are there' : 'The domain still verifies',
    finding: told ? `${told.title}. ${told.detail}` : right,
    fix: told?.fix ?? null,
  }
}

function caaStep({ caa: verdict, problems }: Diagnosis): TroubleshootingStep {
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
