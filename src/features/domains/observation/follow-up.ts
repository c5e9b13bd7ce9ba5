import { randomBytes } from 'node:crypto'
import { isInZone, parentOf } from '../../../platform/dns/name.ts'
import type { QuestionType } from '../../../platform/dns/message.ts'
import { recordsOf } from '../../../platform/dns/record.ts'
import { isWildcard } from '../preparation/challenge-zone.ts'
import { CNAMES_MAX, endOfAliases, type Query, type Subject } from './observation.ts'
import type { NamedServer, Questions } from './questions.ts'

/** The second round: questions that only arise from what the nameservers said in the first. */
export async function followUp(questions: Questions, subject: Subject, zone: string): Promise<void> {
  const { hostname, target } = subject
  const answered = questions.queries.filter((query) => query.purpose === 'hostname' && query.flags?.authoritative)
  const records = answered.flatMap((query) => query.answers).filter((record) => record.name === hostname)
  const willLeadTo = hostname === zone ? [] : [target]
  const besides = [askResolverView(questions, hostname, zone), askAliasesCaa(questions, willLeadTo)]
  const server = answered[0]?.server
  if (server === undefined) return void (await Promise.all(besides))

  const values = new Set(recordsOf(records, 'CNAME').map((record) => record.data))
  const strange = [...values].filter((value) => value !== target)
  const hasAddress = records.some((record) => record.type === 'A' || record.type === 'AAAA')
  const chains = strange.slice(0, CHAINS_MAX).map((from) => followChain(questions, subject, server, zone, from))
  const twice = `${hostname}.${zone}`
  const doubled = values.has(target) ? [] : [questions.askServer('doubled', server, twice, ['CNAME', 'A', 'AAAA'])]
  // Nobody would create it, so that only a wildcard answers for it; the record of a wildcard is not in its own way.
  const sibling = isWildcard(hostname) ? undefined : `petstore-${randomBytes(6).toString('hex')}.${parentOf(hostname)}`
  const mayBeWildcard = hostname !== zone && (hasAddress || strange.length > 0)
  const wildcard =
    mayBeWildcard && sibling ? [questions.askServer('wildcard', server, sibling, ['CNAME', 'A', 'AAAA'])] : []
  const mayBeBlocked = hostname !== zone && values.size === 0 && answered.some(({ rcode }) => rcode === 'NOERROR')
  const blocked = mayBeBlocked ? [askBeside(questions, hostname, sibling)] : []
  await Promise.all([...besides, ...chains, ...doubled, ...wildcard, ...blocked])
}

/** What else stands at a name without a CNAME; a wildcard's records are in nobody's way. One nameserver tells. */
async function askBeside(questions: Questions, hostname: string, sibling: string | undefined): Promise<void> {
  const told = questions.queries.find(
    ({ purpose, rcode, flags }) => purpose === 'hostname' && rcode === 'NOERROR' && flags?.authoritative,
  )
  if (told === undefined) return
  const { server } = told
  const replies = await questions.askServer('beside', server, hostname, BESIDE_TYPES)
  if (sibling === undefined) return
  const present = replies.filter(({ answers }) => answers.some(({ name }) => name === hostname))
  await questions.askServer(
    'wildcard',
    server,
    sibling,
    present.map(({ type }) => type),
  )
}

/** Name by name, so that a loop or a long chain is seen instead of being hidden in a resolver's SERVFAIL. */
async function followChain(
  questions: Questions,
  { hostname, target }: Subject,
  server: NamedServer,
  zone: string,
  from: string,
): Promise<void> {
  const seen = new Set([hostname])
  let name = from
  while (name !== target && !seen.has(name) && seen.size <= FOLLOWED_MAX) {
    seen.add(name)
    const reply: Query | undefined = isInZone(name, zone)
      ? (await questions.askServer('chain', server, name, ['CNAME']))[0]
      : await questions.askResolvers('chain', name, 'CNAME')
    name = recordsOf(reply?.answers ?? [], 'CNAME', name)[0]?.data ?? name
  }
}

/** CAA records are also those at the end of a CNAME, the present one's and the right one's. */
async function askAliasesCaa(questions: Questions, targets: string[]): Promise<void> {
  const asked = questions.queries.filter((query) => query.purpose === 'caa')
  const ends = asked
    .map(({ name, answers }) => ({ name, end: endOfAliases(name, answers), answers }))
    .filter(({ name, end, answers }) => end !== name && recordsOf(answers, 'CAA', end).length === 0)
  const names = new Set([...targets, ...ends.map(({ end }) => end)])
  await Promise.all([...names].map((name) => questions.askResolvers('caa', name, 'CAA')))
}

/** SERVFAIL that goes away when validation is switched off is broken DNSSEC. */
async function askResolverView(questions: Questions, hostname: string, zone: string): Promise<void> {
  const type = hostname === zone ? 'A' : 'CNAME'
  const usable = await questions.askResolvers('resolver', hostname, type)
  if (usable === undefined) await questions.askResolvers('resolver', hostname, type, { checkingDisabled: true })
}

/** Addresses are asked for in any case; RRSIG and NSEC may stand beside a CNAME. */
const BESIDE_TYPES: readonly QuestionType[] = [
  'TXT',
  'MX',
  'NS',
  'CAA',
  'SRV',
  'PTR',
  'NAPTR',
  'DNAME',
  'TLSA',
  'SSHFP',
  'LOC',
  'HINFO',
  'UNKNOWN_64',
  'UNKNOWN_65',
]
// Nameservers that disagree may each have a wrong value of their own; more than this would be noise.
const CHAINS_MAX = 3
// A little beyond what counts as too long.
const FOLLOWED_MAX = CNAMES_MAX + 4
