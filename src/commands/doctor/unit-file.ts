import { readFileSync } from 'node:fs'
import { type Check, warn } from './check.ts'

/** Where the unit of systemd in `deploy/` has the settings: systemd reads them as root, and this command does not. */
const UNIT_FILE = '/etc/petstore.env'

/** Whether something else is examined than what the unit runs; `set` are the names of the settings that there are. */
export function checkUnitFile(set: readonly string[], file = UNIT_FILE): Check[] {
  const missing = namesIn(file)?.filter((name) => !set.includes(name))
  // What cannot be read is root's alone: whoever was given it has more than the data directory.
  const isLacking = missing === undefined ? set.every((name) => name === 'PETSTORE_DATA') : missing.length > 0
  if (!isLacking) return []
  const which = missing === undefined ? 'its settings' : missing.join(', ')
  return [
    warn(
      'unit',
      `${file}, which the unit of systemd reads, is not read here: this was examined without ${which}. ` +
        'docs/operating.md, “As a service of systemd”, has the command that examines it with them.',
    ),
  ]
}

/** None where there is no such file; undefined where this user may not read it. */
function namesIn(file: string): string[] | undefined {
  try {
    const lines = readFileSync(file, 'utf8').matchAll(/^[ \t]*(PETSTORE_\w+|DATABASE_URL)=[ \t"']*[^\s"']/gm)
    return Array.from(lines, ([, name]) => name as string)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES' ? undefined : []
  }
}
