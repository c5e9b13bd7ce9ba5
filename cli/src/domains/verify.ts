import type { Domain, Installation } from '../../../client/src/platform/platform.ts'
import { defineCommand } from '../line/command.ts'
import { nextCommand, openServer } from '../remote/server.ts'
import { parseDurationMs } from '../line/duration.ts'
import { moment } from '../line/moment.ts'
import type { Terminal } from '../line/terminal.ts'
import { domainOptions, hostname } from './options.ts'
import { instructionTable, issuanceText, problemsText, stateText } from './text.ts'
import { type Verification, watchVerification } from './watch.ts'

/** The check asks DNS for 10 seconds at the most; the rest is waiting for its turn. */
const CHECK_MAX_MS = 30_000

export const command = defineCommand({
  about: `Checks the DNS records of a domain now, and asks for its certificate when they are right. All problems are
printed at once, each with its fix, and the exit code is then 1. For a domain that is verified already it is the
Re-verify of the dashboard, and for one that is prepared it looks for the two records of its preparation.`,
  arguments: [hostname],
  options: {
    wait: { type: 'boolean', help: 'go on until the certificate is there and the domain is live, or ready to switch' },
    timeout: { type: 'string', value: 'SPAN', help: 'how long to wait for that at the most; 10m unless told' },
    ...domainOptions,
  },
  examples: [
    'petstore domains verify www.example.com --project kennel',
    'petstore domains verify www.example.com --project kennel --wait --timeout 30m',
  ],
  async run({ values, arguments: [domain], terminal, clock }) {
    const waitMs = parseDurationMs('timeout', values.timeout ?? '10m')
    const server = openServer(values)
    const verification = await watchVerification(
      { server, clock, terminal },
      {
        of: { project: values.project, hostname: domain },
        until: values.wait ? 'live' : 'checked',
        timeoutMs: values.wait ? waitMs : CHECK_MAX_MS,
      },
    )
    const isDone = verification.end === 'done'
    if (values.json) terminal.printJson(verification.domain)
    else if (!isDone) terminal.note(failure(verification, values, terminal))
    else terminal.print(success(verification, await server.call('GET /installation', {}), terminal))
    return isDone ? 0 : 1
  },
})

function success({ domain }: Verification, { visit, httpsPort, sandbox }: Installation, terminal: Terminal): string {
  const { hostname: name, visitName, state, lastCheck, certificate } = domain
  const { problems = [] } = lastCheck ?? {}
  const warnings = problems.length > 0 ? `\n\n${problemsText(problems, terminal.style)}` : ''
  if (state === 'live' && certificate) {
    const until = moment(certificate.notAfter)
    const { origin } = new URL(`https://${visitName}:${httpsPort}`)
    const itself = sandbox
      ? `\nOnly the sandbox knows its name, ${origin}: a browser sees it at the address above.`
      : ''
    const address = visit.replace('{hostname}', visitName)
    return `${name} is ${stateText(domain, terminal)}: ${address} (certificate until ${until})${itself}${warnings}`
  }
  if (state === 'ready' && certificate) {
    const until = moment(certificate.notAfter)
    return `${name} is ${stateText(domain, terminal)} to switch (certificate until ${until}).
When you like, replace its own record by this one:

${instructionTable([domain.record.record])}${warnings}`
  }
  return `${name} is ${proved(domain)}. Its certificate is being issued, usually within a couple of minutes.${warnings}`
}

interface Wanted {
  project: string
  server: string | undefined
}

function failure({ domain, end }: Verification, values: Wanted, { noteStyle }: Terminal): string {
  const { hostname: name, lastCheck, issuance, nextCheckAt } = domain
  if (end === 'certificate blocked') {
    const problems = problemsText(lastCheck?.problems ?? [], noteStyle)
    return `${name} is ${proved(domain)}, but its certificate cannot be issued yet.\n\n${problems}`
  }
  if (end === 'certificate failed' && issuance) {
    const wanted = domain.verifiedAt === null ? 'ready' : 'live'
    return `${name} is ${proved(domain)}, but not ${wanted} yet. ${issuanceText(issuance)}`
  }
  if (end === 'late') {
    const stand = issuance?.problem ? ` ${issuanceText(issuance)}` : ''
    const look = nextCommand(values, `domains show ${name} --project ${values.project}`)
    return `${name} was not done in time (${domain.state}).${stand} The service goes on by itself; look with: ${look}`
  }
  const again = nextCheckAt ? ` It is checked again by itself at ${moment(nextCheckAt)}.` : ''
  const verdict = lastCheck?.outcome === 'inconclusive' ? 'could not be checked' : `is not ${proved(domain)}`
  return `${name} ${verdict}.${again}\n\n${problemsText(lastCheck?.problems ?? [], noteStyle)}`
}

/** What its records show, or are to show. */
const proved = ({ verifiedAt, preparedAt }: Domain) =>
  verifiedAt === null && preparedAt !== null ? 'prepared' : 'verified'
