import { networkCommands, withCompletion } from '../../cli/src/command-table.ts'
import type { CommandTable, LoadCommand } from '../../cli/src/line/command.ts'
import { either } from './either.ts'

/** What talks to a server in the installed command line, and acts on the database of a checkout where none is named. */
const ON_DATABASE: Readonly<Record<string, LoadCommand>> = {
  'projects create': () => import('./projects/create.ts'),
  'projects list': () => import('./projects/list.ts'),
  'projects plan': () => import('./projects/plan.ts'),
  'projects suspend': () => import('./projects/suspend.ts'),
  'projects resume': () => import('./projects/resume.ts'),
  'keys create': () => import('./keys/create.ts'),
  'keys list': () => import('./keys/list.ts'),
  'keys revoke': () => import('./keys/revoke.ts'),
  'keys rotate': () => import('./keys/rotate.ts'),
  import: () => import('./import.ts'),
  'users list': () => import('./users/list.ts'),
}

const withDatabase = Object.fromEntries(
  Object.entries(networkCommands).map(([name, [summary, atServer]]) => {
    const onDatabase = ON_DATABASE[name]
    return [name, [summary, onDatabase ? either(onDatabase, atServer) : atServer] as const]
  }),
)

/** Every command of a checkout: those of the installed command line, and those of the operator. */
export const commands: CommandTable = withCompletion({
  serve: ['Run the service', () => import('./serve.ts')],
  ...withDatabase,
  'users create': ['Create an account', () => import('./users/create.ts')],
  'users add': ['Make somebody with an account a member', () => import('./users/add.ts')],
  'users reset-password': ['Let somebody choose a new password', () => import('./users/reset-password.ts')],
  'domains explain': ['Diagnose a saved check again, offline', () => import('./domains/explain.ts')],
  'ca root': ["Print the internal CA's root certificate", () => import('./ca/root.ts')],
  'master-key give-up': ['Give up what a lost master key sealed', () => import('./master-key/give-up.ts')],
  backup: ['Write a backup while the service runs', () => import('./backup.ts')],
  restore: ['Put a backup in place', () => import('./restore.ts')],
  move: ['Copy everything to PostgreSQL, or back', () => import('./move.ts')],
  doctor: ['Check the machine, the settings and the database', () => import('./doctor.ts')],
})
