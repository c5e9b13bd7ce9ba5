import { isSignedBy, readPublicKey } from '../../platform/domain-connect/signature.ts'
import {
  type AppliedRecord,
  type ConnectTemplate,
  replaces,
  resolveTemplate,
} from '../../platform/domain-connect/template.ts'
import { readRecord } from '../../platform/dns/record-text.ts'
import { conflict, invalid, notFound } from '../../platform/errors.ts'
import { newId } from '../../platform/id.ts'
import { listRecords, listZones } from './queries.ts'
import { SANDBOX_NAMESERVERS, zoneRecord } from './registrar.ts'
import type { SandboxNeeds } from './sandbox.ts'
import { applyTemplate } from './writes.ts'

/** The registrar as a DNS provider that speaks Domain Connect, so that the whole way can be walked on one machine. */
export interface ProviderNeeds extends SandboxNeeds {
  /** Those that the registrar has taken up. */
  templates: () => Promise<readonly ConnectTemplate[]>
  /** From DNS, as any provider would ask. */
  textsAt: (name: string) => Promise<string[]>
  /** Of the pages on which people consent, and of this interface. */
  urls: { pages: string; api: string }
}

/** What a request names: whose template, which, and everything behind the question mark, as it came. */
export interface ApplyRequest {
  provider: string
  service: string
  query: string
}

interface RecordLine {
  type: string
  name: string
  value: string
}

/** What somebody is asked to agree to. */
export interface ConnectConsent {
  provider: string
  service: string
  hostname: string
  adds: RecordLine[]
  removes: RecordLine[]
}

export async function providerSettings({ storage, urls }: ProviderNeeds, domain: string) {
  const zones = await listZones(storage.read)
  if (!zones.some(({ apex }) => apex === domain)) throw notFound(`The sandbox registrar has no zone ${domain}.`)
  return {
    providerId: 'registrar.test',
    providerName: 'Sandbox registrar',
    providerDisplayName: 'Sandbox registrar',
    urlSyncUX: urls.pages,
    urlAPI: urls.api,
    urlControlPanel: `${new URL(urls.pages).origin}/sandbox/%domain%`,
    nameServers: SANDBOX_NAMESERVERS,
  }
}

export async function providerTemplate(
  { templates }: ProviderNeeds,
  { provider, service }: Pick<ApplyRequest, 'provider' | 'service'>,
): Promise<ConnectTemplate> {
  const template = (await templates()).find(
    ({ providerId, serviceId }) => providerId === provider && serviceId === service,
  )
  if (!template) throw notFound('The sandbox registrar does not know this template.')
  return template
}

/** What the request would change, once its signature has been checked. */
export async function readConsent(needs: ProviderNeeds, request: ApplyRequest): Promise<ConnectConsent> {
  const { template, hostname, adds, removes } = await judge(needs, request)
  const line = ({ type, name, value }: RecordLine) => ({ type, name, value })
  return {
    provider: template.providerName,
    service: template.serviceName,
    hostname,
    adds: adds.map(line),
    removes: removes.map(line),
  }
}

/** Writes the records where somebody has agreed, and says where they go on. */
export async function answerRequest(
  needs: ProviderNeeds,
  request: ApplyRequest & { consents: boolean },
): Promise<{ redirect: string | null }> {
  const { template, domain, adds, removes, parameters } = await judge(needs, request)
  if (!request.consents) {
    return { redirect: wayBack(parameters, { error: 'access_denied', error_description: 'user_cancel' }) }
  }
  const outcome = await needs.storage.write(applyTemplate, {
    apex: domain,
    service: `${template.providerId}/${template.serviceId}`,
    removed: removes.map(({ id }) => id),
    added: adds.map((record) => rowOf(domain, record)),
    now: needs.clock.now(),
  })
  if (outcome === 'missing') throw notFound(`There is no sandbox zone ${domain}.`)
  if (outcome === 'too_many') throw conflict('This zone has 200 records, which is the most: remove one first.')
  await needs.changes.catchUp()
  return { redirect: wayBack(parameters, {}) }
}

async function judge(needs: ProviderNeeds, request: ApplyRequest) {
  const template = await providerTemplate(needs, request)
  const parameters = new URLSearchParams(request.query)
  const label = parameters.get('key') ?? ''
  const texts = /^[a-z0-9_-]{1,63}$/.test(label) ? await needs.textsAt(`${label}.${template.syncPubKeyDomain}`) : []
  const key = readPublicKey(texts)
  if (!key || !isSignedBy(request.query, key)) {
    throw invalid('The request is not signed by the service that it names, so nothing is changed.')
  }
  const [domain = '', host = ''] = [parameters.get('domain') ?? '', parameters.get('host') ?? '']
  const zones = await listZones(needs.storage.read)
  if (!zones.some(({ apex }) => apex === domain)) throw notFound(`The sandbox registrar has no zone ${domain}.`)
  const groups = (parameters.get('groupId') ?? '').split(',').filter((group) => group !== '')
  const values = Object.fromEntries(parameters)
  const resolution = resolveTemplate(template, { domain, host, groups, values })
  if (!resolution.ok) throw invalid(resolution.reason)
  const adds = resolution.records
  const standing = (await listRecords(needs.storage.read, domain)).map((row) => {
    const { name, type, data } = zoneRecord(row)
    return { id: row.id, name, type, value: typeof data === 'string' ? data : JSON.stringify(data) }
  })
  const removes = standing.filter((record) => adds.some((added) => replaces(added, record)))
  const hostname = host === '' ? domain : `${host}.${domain}`
  return { template, parameters, domain, hostname, adds, removes }
}

function rowOf(apex: string, { name, type, ttl, value }: AppliedRecord) {
  const reading = readRecord(apex, { name: `${name}.`, type, ttl, value })
  if (!reading.ok) throw invalid(reading.message)
  const { record } = reading
  return { id: newId('rec'), name: record.name, type: record.type, ttl, data: JSON.stringify(record.data) }
}

/** Signed requests may lead anywhere that the web has. */
function wayBack(parameters: URLSearchParams, more: Record<string, string>): string | null {
  const url = URL.parse(parameters.get('redirect_uri') ?? '')
  if (!url || !/^https?:$/.test(url.protocol)) return null
  const state = parameters.get('state')
  for (const [name, value] of Object.entries({ ...(state === null ? {} : { state }), ...more })) {
    url.searchParams.set(name, value)
  }
  return url.href
}
