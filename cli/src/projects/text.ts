import type { AnyProject } from '../../../client/src/platform/platform.ts'
import { columns } from '../line/columns.ts'

export function projectTable(projects: readonly AnyProject[]): string {
  const rows = projects.map(({ slug, plan, createdAt, suspension, name }) => {
    return [slug, plan, createdAt.slice(0, 10), suspension ? 'suspended' : 'runs', name]
  })
  return columns([['SLUG', 'PLAN', 'CREATED', 'STATE', 'NAME'], ...rows])
}
