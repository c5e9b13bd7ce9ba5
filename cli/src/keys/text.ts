import type { Key, NewKey } from '../../../client/src/platform/platform.ts'
import { moment } from '../line/moment.ts'
import type { Terminal } from '../line/terminal.ts'

/** A new key and what it may do, with the warning that it is not to be had again. */
export function shownOnce(created: Omit<NewKey, 'madeBy'>, project: string, terminal: Terminal): string {
  return `${terminal.style('bold', created.key)}

Keep it now: only its hash is stored, and it cannot be shown again.
  id       ${created.id}
  name     ${created.name}
  for      ${project}, ${created.environment}
  scopes   ${created.scopes.join(', ')}
  expires  ${created.expiresAt ?? 'never'}`
}

export function keyRow(key: Key): string[] {
  const times = [key.expiresAt, key.lastUsedAt].map((time) => moment(time, 'never'))
  return [
    key.id,
    key.state,
    key.environment,
    key.hint,
    key.scopes.join(','),
    ...times,
    key.madeBy?.email ?? '–',
    key.name,
  ]
}

export const KEY_COLUMNS = ['ID', 'STATE', 'ENVIRONMENT', 'KEY', 'SCOPES', 'EXPIRES', 'LAST USED', 'MADE BY', 'NAME']
