import { setTimeout as wait } from 'node:timers/promises'
import type { AuditEntry, PageSearch, Routes } from '../../client/src/platform/platform.ts'
import { defineCommand, UsageError } from './line/command.ts'
import { environment, json, project } from './line/options.ts'
import { serverOptions, openServer } from './remote/server.ts'

const PAUSE_MS = 2000
const LIMIT_MAX = 100
/** An entry has its number and time before its change is done, so that one that is newer may be seen earlier. */
const LATE_MAX_MS = 60_000

type Query = Routes['GET /projects/{project}/audit']['query'] | PageSearch

export const command = defineCommand({
  about: `Prints what has changed in a project and who did it, oldest first: its audit log. With --follow it goes on
with what comes.`,
  arguments: [],
  options: {
    project: { ...project, required: true },
    about: { type: 'string', value: 'NOUN', help: 'only changes of such things: domain, deploy, key, pet …' },
    environment: { ...environment, help: 'only changes in this environment' },
    limit: { type: 'string', value: 'COUNT', help: 'how many to begin with, 100 at the most (20)' },
    follow: { type: 'boolean', help: 'go on until you stop it' },
    ...serverOptions,
    json: { ...json, help: 'print each entry as a line of JSON' },
  },
  examples: [
    'petstore logs --project kennel',
    'petstore logs --project kennel --about domain --follow',
    'petstore logs --project kennel --limit 100 --json | jq .verb',
  ],
  async run({ values, terminal }) {
    const limit = Number(values.limit ?? 20)
    if (!Number.isInteger(limit) || limit < 1 || limit > LIMIT_MAX) {
      throw new UsageError(`--limit is "${values.limit}", but must be a number from 1 to ${LIMIT_MAX}.`)
    }
    const { page } = openServer(values)
    const { project: slug, about, environment: only } = values
    const filter = { ...(about === undefined ? {} : { about }), ...(only === undefined ? {} : { environment: only }) }
    const isMeant = ({ verb, details }: AuditEntry) =>
      (about === undefined || verb.startsWith(`${about}.`)) && (only === undefined || details.environment === only)
    const newest = (query: Query) => page('GET /projects/{project}/audit', { project: slug, query })
    /**
     * Newest first, in as many pages as it takes; without a time, from a while before the newest on. Of all kinds: what
     * is asked for may be so rare that only the whole log tells where the last of it is, each time.
     */
    const since = async (from?: number): Promise<AuditEntry[]> => {
      const found: AuditEntry[] = []
      let query: Query | undefined = { limit: LIMIT_MAX }
      while (query !== undefined) {
        const { items, next } = await newest(query)
        const first = (from ??= lateFrom(items) ?? 0)
        const isSince = ({ at }: AuditEntry) => Date.parse(at) >= first
        found.push(...items.filter(isSince))
        query = items.every(isSince) ? next : undefined
      }
      return found
    }
    /** A page may be short where another follows. */
    const last = async (): Promise<AuditEntry[]> => {
      const found: AuditEntry[] = []
      let query: Query | undefined = { ...filter, limit }
      while (query !== undefined && found.length < limit) {
        const { items, next } = await newest(query)
        found.push(...items)
        query = next
      }
      return found.slice(0, limit)
    }
    const print = (entries: readonly AuditEntry[]) => {
      for (const entry of entries.toReversed()) terminal.print(values.json ? JSON.stringify(entry) : lineOf(entry))
    }

    // Before what is printed: whatever is done in between is then printed too, and not taken for known.
    let known = values.follow ? await since() : []
    const items = await last()
    print(items)
    known = [...known, ...items]
    while (values.follow) {
      await wait(PAUSE_MS)
      const found = await since(lateFrom(known) ?? 0)
      const ids = new Set(known.map(({ id }) => id))
      print(found.filter((entry) => !ids.has(entry.id) && isMeant(entry)))
      known = found
    }
  },
})

function lateFrom([newest]: readonly AuditEntry[]): number | undefined {
  return newest && Date.parse(newest.at) - LATE_MAX_MS
}

function lineOf({ at, actor, verb, subject, details }: AuditEntry): string {
  const more = Object.entries(details).map(([name, value]) => `${name}=${value}`)
  return [`${at.slice(0, 19).replace('T', ' ')} UTC`, verb, subject, ...more, `by ${actor.name}`].join('  ')
}
