import { serverOptions } from '../remote/server.ts'
import { json, project } from '../line/options.ts'

/** Options of every command about the domains of a project. */
export const domainOptions = { project: { ...project, required: true }, ...serverOptions, json } as const

export const hostname = { name: 'DOMAIN', help: 'the domain, in whatever form you have it at hand' } as const
