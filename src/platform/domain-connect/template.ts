/** A Domain Connect template: the records that a service may ask a DNS provider to write. */
export interface ConnectTemplate {
  providerId: string
  providerName: string
  serviceId: string
  serviceName: string
  version: number
  description: string
  variableDescription: string
  /** Below it stands the public key of whoever signs; without a signature nothing is applied. */
  syncPubKeyDomain: string
  /** Where people may be sent back to. */
  syncRedirectDomain: string
  /** Only for a name below the zone's own. */
  hostRequired?: true
  records: readonly TemplateRecord[]
}

export type TemplateRecord = { groupId: string; host: string; ttl: number } & (
  | { type: 'A' | 'AAAA' | 'CNAME'; pointsTo: string }
  | {
      type: 'TXT'
      data: string
      essential?: 'OnApply'
      txtConflictMatchingMode: 'None' | 'All' | 'Prefix'
      txtConflictMatchingPrefix?: string
    }
)

export interface AppliedRecord {
  /** In full. */
  name: string
  type: 'A' | 'AAAA' | 'CNAME' | 'TXT'
  ttl: number
  value: string
  /** TXT records that begin so make room for this one. */
  replacesPrefix?: string
}

export interface Application {
  domain: string
  host: string
  /** Empty for all of them. */
  groups: readonly string[]
  values: Readonly<Record<string, string>>
}

export type Resolution = { ok: true; records: AppliedRecord[] } | { ok: false; reason: string }

/** The records of the chosen groups with their variables filled in, as a DNS provider would write them. */
export function resolveTemplate(template: ConnectTemplate, application: Application): Resolution {
  const { domain, host, groups, values } = application
  if (template.hostRequired && host === '') return { ok: false, reason: 'This template needs a host below the zone.' }
  const active = template.records.filter(({ groupId }) => groups.length === 0 || groups.includes(groupId))
  if (active.length === 0) return { ok: false, reason: `The template has no group ${groups.join(', ')}.` }
  const fqdn = host === '' ? domain : `${host}.${domain}`
  const missing = new Set<string>()
  const filled = (text: string) =>
    text.replaceAll(VARIABLE, (_, name: string) => {
      const value = { domain, host, fqdn }[name] ?? values[name]
      if (value === undefined) missing.add(name)
      return value ?? ''
    })
  const records = active.map((record): AppliedRecord => {
    const name = record.host === '@' ? fqdn : `${filled(record.host)}.${fqdn}`
    const { type, ttl } = record
    if (record.type !== 'TXT') return { name, type, ttl, value: filled(record.pointsTo) }
    const { txtConflictMatchingPrefix: replacesPrefix } = record
    return { name, type, ttl, value: filled(record.data), ...(replacesPrefix && { replacesPrefix }) }
  })
  if (missing.size > 0) return { ok: false, reason: `The request lacks ${[...missing].join(', ')}.` }
  return { ok: true, records }
}

/** Whether writing the record takes away one that stands there: the conflicts of section 10.4. */
export function replaces(added: AppliedRecord, standing: { name: string; type: string; value: string }): boolean {
  if (standing.name !== added.name) return false
  const isAddress = (type: string) => ['A', 'AAAA', 'ALIAS', 'ANAME'].includes(type)
  if (added.type === 'CNAME' || standing.type === 'CNAME') return true
  if (isAddress(added.type)) return isAddress(standing.type)
  return (
    standing.type === 'TXT' && added.replacesPrefix !== undefined && standing.value.startsWith(added.replacesPrefix)
  )
}

const VARIABLE = /%([A-Za-z0-9_-]+)%/g
