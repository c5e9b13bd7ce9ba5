import type {
  DnsInstruction,
  Domain,
  DomainDetails,
  Problem,
  ProjectDomains,
} from '../../../client/src/platform/platform.ts'
import { columns } from '../line/columns.ts'
import { moment } from '../line/moment.ts'
import type { Terminal } from '../line/terminal.ts'

const STATE_COLOURS = {
  live: 'green',
  issuing: 'yellow',
  verifying: 'yellow',
  'awaiting dns': 'yellow',
  preparing: 'yellow',
  ready: 'green',
  attention: 'red',
  removed: 'gray',
} as const

export const stateText = ({ state }: Pick<Domain, 'state'>, terminal: Terminal) =>
  terminal.style(STATE_COLOURS[state], state)

/** The domains of a project, one line each. */
export function domainTable(domains: readonly Domain[]): string {
  const rows = domains.map((domain) => [
    domain.unicode,
    domain.state,
    roleText(domain),
    domain.certificate?.notAfter.slice(0, 10) ?? '–',
  ])
  return columns([['DOMAIN', 'STATE', 'ROLE', 'CERTIFICATE UNTIL'], ...rows])
}

export function roleText({ redirect, role }: Pick<Domain, 'redirect' | 'role'>): string {
  return redirect ? `${redirect.status} to ${redirect.to}` : role
}

/** Who serves and who redirects, after a change. */
export function rolesText({ primary, redirects }: ProjectDomains): string {
  if (primary === null) return '  The project has no domains left.'
  const rows = redirects.map(({ from, to, status }) => [from, `${status} to ${to}`])
  return columns([['DOMAIN', 'ROLE'], [primary, 'primary'], ...rows])
}

/** What to create at the DNS provider. Others than these can do without the name for challenges. */
export function recordAdviceText({
  kind,
  preparedAt,
  record: { record, proof, challenge, notes },
}: Pick<DomainDetails, 'kind' | 'preparedAt' | 'record'>): string {
  const isProvedInDns = kind === 'wildcard' || preparedAt !== null
  const lines = [record, proof, isProvedInDns ? challenge : null].filter((line) => line !== null)
  return [instructionTable(lines), ...notes.map((note) => `  ${note}`)].join('\n\n')
}

export const instructionTable = (lines: readonly DnsInstruction[]) =>
  columns([['TYPE', 'NAME', 'VALUE', 'TTL'], ...lines.map(instructionRow)])

const instructionRow = ({ type, name, value, ttl }: DnsInstruction) => [type, name, value, String(ttl)]

/** Every problem with its evidence in words and its fix, most urgent first. */
export function problemsText(problems: readonly Problem[], style: Terminal['style']): string {
  return problems
    .map(({ code, severity, title, detail, fix }) => {
      const colour = severity === 'blocking' ? 'red' : 'yellow'
      return `${style(colour, `${severity}: ${title}`)} (${code})\n  ${detail}\n  ${style('bold', 'Fix:')} ${fix}`
    })
    .join('\n\n')
}

/** Everything that is known of one domain. */
export function detailsText(domain: DomainDetails, terminal: Terminal): string {
  const { certificate, issuance, lastCheck } = domain
  const facts = [
    ['state', domain.state],
    ['role', roleText(domain)],
    ['added', moment(domain.addedAt)],
    ['verified', moment(domain.verifiedAt)],
    ['last check', lastCheck ? `${moment(lastCheck.at)}, ${lastCheck.outcome}` : 'never'],
    ['next check', domain.nextCheckAt ? moment(domain.nextCheckAt) : 'when you verify'],
    ['certificate', certificate ? `until ${moment(certificate.notAfter)}, by ${certificate.issuer}` : 'none'],
    ...(domain.servedUntil ? [['served until', moment(domain.servedUntil)]] : []),
    ...(domain.hstsSeconds === null ? [] : [['HSTS', `${domain.hstsSeconds} s`]]),
  ]
  const name = domain.unicode === domain.hostname ? domain.hostname : `${domain.unicode} (${domain.hostname})`
  const title = terminal.style('bold', name)
  const parts = [`${title}\n\n${columns(facts)}`, `The record:\n\n${recordAdviceText(domain)}`]
  if (lastCheck && lastCheck.problems.length > 0) parts.push(problemsText(lastCheck.problems, terminal.style))
  if (issuance?.problem) parts.push(issuanceText(issuance))
  return parts.join('\n\n')
}

export function issuanceText({ problem, nextAttemptAt }: NonNullable<Domain['issuance']>): string {
  if (!problem) return 'The certificate is being issued.'
  const next = nextAttemptAt ? ` The next attempt is at ${moment(nextAttemptAt)}.` : ''
  const detail = problem.detail ? `\n  ${problem.detail}` : ''
  return `The certificate could not be issued: ${problem.message}${next}${detail}`
}
