import { getDomain } from 'tldts'
import { HOUR_MS, MINUTE_MS, patience, type Clock } from '../../platform/clock.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { CaaExpectation } from '../domains/diagnosis/judge-caa.ts'
import type { AcmeTransport } from './acme/transport.ts'
import { CHALLENGE_TYPES } from './issuer.ts'

const KNOWN_FOR_MS = HOUR_MS
const FAILED_FOR_MS = MINUTE_MS
/** Every check of a domain waits for this question, and none may take longer than 10 s. */
const PATIENCE_MS = 4000

/** What the internal CA is called in CAA records, so that blocking it can be rehearsed. */
export const internalCaaIdentity = (platformHost: string): CaaExpectation => ({
  issuerDomains: [`ca.${platformHost}`],
  accountUri: null,
  methods: CHALLENGE_TYPES,
})

/** What an ACME authority is called in CAA records: as its directory says, else by its own domain. */
export function acmeCaaIdentity({
  transport,
  storage,
  clock,
  directoryUrl,
}: {
  transport: AcmeTransport
  storage: Storage
  clock: Clock
  directoryUrl: string
}): () => Promise<CaaExpectation | undefined> {
  let known: { domains: Promise<string[] | undefined>; until: number } | undefined
  const ownDomain = getDomain(directoryUrl)

  const ask = (): Promise<string[] | undefined> => {
    const entry = { domains: askDirectory(transport, directoryUrl), until: clock.now() + KNOWN_FOR_MS }
    known = entry
    void entry.domains.then((domains) => {
      if (domains === undefined) entry.until = clock.now() + FAILED_FOR_MS
    })
    return entry.domains
  }

  return async () => {
    const given = await (known && known.until > clock.now() ? known.domains : ask())
    const issuerDomains = given?.length ? given : ownDomain === null ? [] : [ownDomain]
    if (issuerDomains.length === 0) return undefined
    const account = await storage.read
      .selectFrom('acme_accounts')
      .select('url')
      .where('directory_url', '=', directoryUrl)
      .executeTakeFirst()
    return { issuerDomains, accountUri: account?.url ?? null, methods: CHALLENGE_TYPES }
  }
}

/** Undefined when it could not be asked. */
async function askDirectory(transport: AcmeTransport, directoryUrl: string): Promise<string[] | undefined> {
  try {
    using waiting = patience(PATIENCE_MS)
    const { body } = await transport({ method: 'GET', url: directoryUrl }, waiting.signal)
    const { meta } = JSON.parse(body) as { meta?: { caaIdentities?: unknown } }
    const given = meta?.caaIdentities
    return Array.isArray(given) ? given.filter((domain) => typeof domain === 'string').slice(0, 10) : []
  } catch {
    return undefined
  }
}
