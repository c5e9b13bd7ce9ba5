import { AUDIT_NOUNS, findEndOfLook, listAuditEntries } from '../../features/audit/audit.ts'
import type { Cursors } from '../../platform/http/lists/cursor.ts'
import { ENVIRONMENTS } from '../../platform/http/operation.ts'
import { pageParameters } from '../../platform/http/openapi/page-parameters.ts'
import { pageReader } from '../../platform/http/lists/page.ts'
import { object, oneOf, optional, text } from '../../platform/schema.ts'
import { okPage, type PublicCall, type Reply, route } from '../route.ts'

const AuditQuery = object({
  ...pageParameters,
  about: optional(oneOf(AUDIT_NOUNS, { description: 'Only changes of things of this kind.' })),
  subject: optional(
    text({
      minLength: 1,
      maxLength: 500,
      description: 'Only changes of this one: an id, a hostname, an address.',
      rule: 'must be 1 to 500 characters',
    }),
  ),
  environment: optional(oneOf(ENVIRONMENTS, { description: 'Only changes in this environment.' })),
})

const PAGES =
  'Newest first, in pages. A page with a filter looks through 10,000 changes: it may be short, or empty, ' +
  'where another one follows.'

/** Who has changed what, newest first. */
export function auditRoutes({ cursors }: { cursors: Cursors }) {
  const readPage = pageReader(AuditQuery, cursors)

  async function list(call: PublicCall, of: { projectId: number } | { accountId: string }): Promise<Reply> {
    const page = readPage(call.url, `audit ${JSON.stringify(of)}`)
    const before = page.after === 0 ? undefined : Number(page.after)
    const wanted = { ...page.filter, before, limit: page.limit + 1 }
    const end = await findEndOfLook(call.storage.read, of, wanted)
    const rows = await listAuditEntries(call.storage.read, of, wanted, end)
    const endsAt = end === undefined ? undefined : { id: end }
    return okPage(call, { page, rows, cursors, positionOf: ({ id }) => ({ id }), endsAt })
  }

  return [
    route({
      id: 'listAudit',
      summary: 'List what has changed in a project',
      description: PAGES,
      method: 'GET',
      path: '/projects/{project}/audit',
      role: 'viewer',
      query: AuditQuery,
      handle: (call) => list(call, { projectId: call.project.projectId }),
    }),
    route({
      id: 'listAccountAudit',
      summary: 'List what has changed in the own account',
      description: PAGES,
      method: 'GET',
      path: '/account/audit',
      role: 'session',
      query: AuditQuery,
      handle: (call) => list(call, { accountId: call.who.id }),
    }),
  ]
}
