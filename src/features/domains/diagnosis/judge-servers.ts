import { type Observation, zoneOf } from '../observation/observation.ts'
import { listed, type Problem, problemFrom, type Words } from './problem.ts'
import type { ProblemCode } from './problems.ts'
import { failureOf, nameOf, type ServerView, type Unanswered } from './server-view.ts'

/** Why the zone was not found at all; undefined when it was. */
export function judgeZone(observation: Observation, words: Words): Problem | undefined {
  const { delegation, complete, queries } = observation
  if (zoneOf(observation) !== undefined) return undefined
  const onTheWay = queries.filter(({ purpose }) => purpose === 'delegation')
  const evidence = onTheWay.map(({ id }) => id)
  if (delegation.rcode !== null) {
    const parent = delegation.zone === '.' || delegation.zone === null ? 'the root of DNS' : delegation.zone
    return problemFrom('zone_missing', words, { words: { parent, answer: delegation.rcode }, evidence })
  }
  if (!complete) {
    const seconds = String(Math.round((observation.finishedAt - observation.startedAt) / 1000))
    return problemFrom('lookup_incomplete', words, { words: { seconds }, evidence })
  }
  const failures = onTheWay.filter(({ error, rcode }) => error !== null || rcode !== 'NOERROR').map(failureOf)
  const answer = listed(failures) || 'no nameserver to ask'
  return problemFrom('lookup_failed', words, { words: { answer }, evidence })
}

/** What is wrong with the nameservers themselves; only a warning while another one answers. */
export function judgeServers(observation: Observation, views: readonly ServerView[], words: Words): Problem[] {
  const { nameservers } = observation.delegation
  const someAnswer = views.some(({ status }) => status === 'answered')
  const softened = someAnswer ? ({ severity: 'warning' } as const) : {}
  const onTheWay = observation.queries.filter(({ purpose }) => purpose === 'delegation').map(({ id }) => id)
  const problems: Problem[] = []
  const add = (code: ProblemCode, concerned: Words, evidence: string[]) =>
    problems.push(problemFrom(code, words, { words: concerned, evidence, ...softened }))

  const hidden = nameservers.filter(({ blocked }) => blocked.length > 0)
  if (hidden.length > 0) {
    const servers = listed(hidden.map(({ name, blocked }) => `${name} (${blocked.join(', ')})`))
    add('nameserver_private', { servers }, onTheWay)
  }
  const homeless = nameservers.filter(({ addresses, blocked }) => addresses.length === 0 && blocked.length === 0)
  if (homeless.length > 0 || nameservers.length === 0) {
    const servers = listed(homeless.map(({ name }) => name)) || `the nameservers of ${words['zone']}`
    add('nameserver_unresolvable', { servers }, onTheWay)
  }
  for (const [code, statuses] of BY_STATUS) {
    const failing = views.filter(({ status }) => statuses.includes(status as Unanswered))
    const concerned = failing.filter((view) => !isOnlyOurSide(view, views))
    if (concerned.length === 0) continue
    const servers = listed(concerned.map(nameOf))
    const answer = listed(concerned.map(({ failure }) => failure))
    add(
      code,
      { servers, answer },
      concerned.flatMap((view) => view.evidence),
    )
  }
  return problems
}

/** Without IPv6 of our own we cannot judge a nameserver's IPv6 address; its other addresses tell enough. */
function isOnlyOurSide({ status }: ServerView, views: readonly ServerView[]): boolean {
  return status === 'unreachable' && views.some((view) => view.status !== 'unreachable')
}

const BY_STATUS: [ProblemCode, Unanswered[]][] = [
  ['nameserver_timeout', ['timeout', 'unreachable']],
  ['nameserver_servfail', ['servfail']],
  ['nameserver_refused', ['refused']],
  ['nameserver_lame', ['lame']],
  ['nameserver_truncated', ['truncated']],
  ['nameserver_oversize', ['oversize']],
  ['nameserver_unusable', ['unusable']],
]
