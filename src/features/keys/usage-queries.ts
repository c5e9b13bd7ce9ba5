import './tables.ts'
import { sql } from 'kysely'
import type { Environment } from '../../platform/http/operation.ts'
import type { Db } from '../../platform/storage/tables.ts'

/** PostgreSQL sums bigints into numerics, which would arrive as text. */
const summed = (column: 'calls' | 'failures') => sql<number>`cast(sum(${sql.ref(`key_usage.${column}`)}) as bigint)`

export function sumUsage(
  db: Db,
  of: { projectId: number; environment: Environment | undefined; from: number; stepMs: number },
) {
  const at = sql<number>`hour - (hour % ${sql.lit(of.stepMs)})`
  let query = db
    .selectFrom('key_usage')
    .select(['operation', at.as('at'), summed('calls').as('calls'), summed('failures').as('failures')])
    .where('project_id', '=', of.projectId)
    .where('hour', '>=', of.from)
    .groupBy(['operation', at])
    .orderBy('operation')
  if (of.environment) query = query.where('environment', '=', of.environment)
  return query.execute()
}

export async function findDeprecatedCallers(
  db: Db,
  of: { projectId: number; operations: readonly string[]; from: number },
) {
  if (of.operations.length === 0) return []
  return db
    .selectFrom('key_usage')
    .innerJoin('keys', 'keys.id', 'key_usage.key_id')
    .select(['key_usage.operation', 'keys.id as keyId', 'keys.name', 'keys.hint', 'keys.environment'])
    .select((eb) => [summed('calls').as('calls'), eb.fn.max('key_usage.last_at').as('last_at')])
    .where('key_usage.project_id', '=', of.projectId)
    .where('key_usage.operation', 'in', of.operations)
    .where('key_usage.hour', '>=', of.from)
    .groupBy(['key_usage.operation', 'keys.id', 'keys.name', 'keys.hint', 'keys.environment'])
    .orderBy('calls', 'desc')
    .execute()
}
