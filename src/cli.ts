import { type CommandTable, runCommandLine } from './commands/command-line.ts'

/** Every command: its words, what it does in a few more, and the file that does it. */
const commands: CommandTable = {
  serve: ['Run the service', () => import('./commands/serve.ts')],
  'keys create': ['Mint an API key', () => import('./commands/keys/create.ts')],
  'keys list': ['List the API keys of a project', () => import('./commands/keys/list.ts')],
  'keys revoke': ['Revoke an API key', () => import('./commands/keys/revoke.ts')],
  'keys rotate': ['Replace an API key without a gap', () => import('./commands/keys/rotate.ts')],
  'projects create': ['Create a project', () => import('./commands/projects/create.ts')],
  'projects list': ['List all projects', () => import('./commands/projects/list.ts')],
  'projects plan': ["Change a project's plan", () => import('./commands/projects/plan.ts')],
  'users create': ['Create an account', () => import('./commands/users/create.ts')],
  'users list': ['List all accounts', () => import('./commands/users/list.ts')],
  'users reset-password': ['Let somebody choose a new password', () => import('./commands/users/reset-password.ts')],
  'pets list': ['List animals', () => import('./commands/pets/list.ts')],
  'pets add': ['Add an animal', () => import('./commands/pets/add.ts')],
  'pets update': ['Change an animal', () => import('./commands/pets/update.ts')],
  'orders list': ['List orders', () => import('./commands/orders/list.ts')],
  'orders place': ['Order an animal', () => import('./commands/orders/place.ts')],
  'orders end': ['Complete or cancel an order', () => import('./commands/orders/end.ts')],
  login: ['Sign in at a server', () => import('./commands/login.ts')],
  logout: ['Sign out again', () => import('./commands/logout.ts')],
  deploy: ['Publish a directory as the site of a project', () => import('./commands/deploy.ts')],
  'ca root': ["Print the internal CA's root certificate", () => import('./commands/ca/root.ts')],
  import: ['Add animals from a CSV or NDJSON file', () => import('./commands/import.ts')],
  backup: ['Write a backup while the service runs', () => import('./commands/backup.ts')],
  restore: ['Put a backup in place', () => import('./commands/restore.ts')],
  doctor: ['Check the machine, the settings and the database', () => import('./commands/doctor.ts')],
}

process.exitCode = await runCommandLine(commands, process.argv.slice(2))
