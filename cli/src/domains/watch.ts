import type { Domain, DomainDetails } from '../../../client/src/platform/platform.ts'
import type { Clock } from '../line/clock.ts'
import type { Server } from '../remote/server.ts'
import type { Terminal } from '../line/terminal.ts'

export interface Verification {
  domain: DomainDetails
  end: 'done' | 'check failed' | 'certificate blocked' | 'certificate failed' | 'late'
}

interface Watch {
  of: { project: string; hostname: string }
  until: 'checked' | 'live'
  timeoutMs: number
}

/** A check of the sandbox takes a tenth of a second, one of the internet some seconds, an order minutes. */
const PAUSE_MIN_MS = 100
const PAUSE_MAX_MS = 2000
const PAUSE_GROWTH = 1.3

/** Starts a check and follows it from DNS to the certificate, saying how far it has come. */
export async function watchVerification(
  { server, clock, terminal }: { server: Server; clock: Clock; terminal: Terminal },
  { of, until, timeoutMs }: Watch,
): Promise<Verification> {
  const before = await server.call('POST /projects/{project}/domains/{hostname}/verify', of)
  const deadline = clock.now() + timeoutMs
  const say = progress(terminal)
  for (let pauseMs = PAUSE_MIN_MS; ; pauseMs = Math.min(pauseMs * PAUSE_GROWTH, PAUSE_MAX_MS)) {
    const domain = await server.call('GET /projects/{project}/domains/{hostname}', of)
    const end = endOf(before, domain, until) ?? (clock.now() >= deadline ? 'late' : undefined)
    if (end !== undefined) {
      terminal.status('')
      return { domain, end }
    }
    say(domain, stepOf(before, domain))
    await clock.sleep(pauseMs)
  }
}

function endOf(before: Domain, domain: DomainDetails, until: Watch['until']): Verification['end'] | undefined {
  if (!isChecked(before, domain)) return undefined
  const { outcome } = domain.lastCheck ?? {}
  if (outcome !== 'passed' && outcome !== 'prepared') return 'check failed'
  // One that is prepared is ready as soon as its certificate waits: the switch is its owner's to make.
  if (domain.state === 'live' || domain.state === 'ready') return 'done'
  if (isBlocked(domain)) return 'certificate blocked'
  if (until === 'checked') return 'done'
  const { attemptedAt = null, retryAfter = null } = domain.issuance ?? {}
  const failedNow = attemptedAt !== null && attemptedAt !== before.issuance?.attemptedAt
  return failedNow || retryAfter !== null ? 'certificate failed' : undefined
}

/** The records are right, and the check has seen why there will be no certificate all the same. */
const isBlocked = ({ certificate, lastCheck }: DomainDetails) =>
  certificate === null &&
  lastCheck?.problems.some(({ affects, severity }) => affects === 'certificate' && severity === 'blocking') === true

/** The check that was asked for has finished when the time of the last one has changed. */
const isChecked = (before: Domain, domain: Domain) => domain.checkedAt !== null && domain.checkedAt !== before.checkedAt

function stepOf(before: Domain, domain: DomainDetails): string {
  if (!isChecked(before, domain)) return 'asking the nameservers'
  const step = domain.issuance?.step
  return `DNS is right, waiting for the certificate${step ? ` (${step})` : ''}`
}

/** One line that changes on a terminal; a line for each new step elsewhere. */
function progress(terminal: Terminal): (domain: Domain, step: string) => void {
  let last = ''
  return ({ hostname }, step) => {
    if (terminal.watched) return terminal.status(`${hostname}: ${step} …`)
    if (step !== last) terminal.note(`${hostname}: ${step}`)
    last = step
  }
}
