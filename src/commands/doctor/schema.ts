import { schemaState } from '../backup/schema-state.ts'
import { type Check, fail, ok, warn } from './check.ts'

export function checkSchema(applied: string[] | undefined): Check {
  if (!applied) return warn('schema', 'The database is empty. The next start fills it.')
  const { pending, unknown } = schemaState(applied)
  if (unknown.length > 0) {
    const advice = 'Run that version, or restore an older backup.'
    return fail('schema', `A newer version has been here (${unknown.join(', ')}). ${advice}`)
  }
  if (pending.length > 0) return warn('schema', `The next start will apply ${pending.join(', ')}. Make a backup first.`)
  return ok('schema', `up to date (${applied.at(-1)})`)
}
