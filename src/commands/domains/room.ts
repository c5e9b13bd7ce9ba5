import type { DomainDetails } from '../../features/domains/view.ts'
import { dashboardOptions } from '../remote/dashboard.ts'
import { json, project } from '../line/options.ts'

/** Options of every command about the domains of a project. */
export const domainOptions = { project: { ...project, required: true }, ...dashboardOptions, json } as const

export const hostname = { name: 'DOMAIN', help: 'the domain, in whatever form you have it at hand' } as const

export function domainsPath(slug: string, domain?: string): string {
  const base = `/projects/${encodeURIComponent(slug)}/domains`
  return domain === undefined ? base : `${base}/${encodeURIComponent(domain)}`
}

/** The same record as a command, for those who rehearse. */
export function sandboxCommand({ record: { record } }: Pick<DomainDetails, 'record'>): string {
  return `petstore sandbox dns add ${record.fullName} ${record.type} ${record.value}`
}
