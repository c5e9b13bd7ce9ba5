import type { DomainDetails } from '../../../client/src/platform/platform.ts'
import { dashboardOptions } from '../remote/dashboard.ts'
import { json, project } from '../line/options.ts'

/** Options of every command about the domains of a project. */
export const domainOptions = { project: { ...project, required: true }, ...dashboardOptions, json } as const

export const hostname = { name: 'DOMAIN', help: 'the domain, in whatever form you have it at hand' } as const

/** The same record as a command, for those who rehearse. */
export function sandboxCommand({ record: { record } }: Pick<DomainDetails, 'record'>): string {
  return `petstore sandbox dns add ${record.fullName} ${record.type} ${record.value}`
}
