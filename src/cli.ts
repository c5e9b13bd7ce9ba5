import type { CommandTable } from './commands/line/command.ts'
import { runCommandLine } from './commands/line/command-line.ts'

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
  'domains add': ['Attach a domain and see the record to create', () => import('./commands/domains/add.ts')],
  'domains verify': ['Check the DNS of a domain and get its certificate', () => import('./commands/domains/verify.ts')],
  'domains list': ['List the domains of a project', () => import('./commands/domains/list.ts')],
  'domains show': ['Show all that is known of a domain', () => import('./commands/domains/show.ts')],
  'domains primary': ['Choose the domain that serves the site', () => import('./commands/domains/primary.ts')],
  'domains redirect': ['Let a domain redirect to another', () => import('./commands/domains/redirect.ts')],
  'domains remove': ['Remove a domain: traffic stops at once', () => import('./commands/domains/remove.ts')],
  'domains explain': ['Diagnose a saved check again, offline', () => import('./commands/domains/explain.ts')],
  'sandbox dns list': ['List the zones of the sandbox', () => import('./commands/sandbox/list.ts')],
  'sandbox dns add': ['Add a record to the sandbox', () => import('./commands/sandbox/add.ts')],
  'sandbox dns remove': ['Remove a record, a fault or a zone', () => import('./commands/sandbox/remove.ts')],
  'sandbox dns fault': ['Let a zone of the sandbox misbehave', () => import('./commands/sandbox/fault.ts')],
  'ca root': ["Print the internal CA's root certificate", () => import('./commands/ca/root.ts')],
  completion: [
    'Print a completion script for bash, zsh or fish',
    async () => (await import('./commands/completion.ts')).completionCommand(commands),
  ],
  import: ['Add animals from a CSV or NDJSON file', () => import('./commands/import.ts')],
  backup: ['Write a backup while the service runs', () => import('./commands/backup.ts')],
  restore: ['Put a backup in place', () => import('./commands/restore.ts')],
  doctor: ['Check the machine, the settings and the database', () => import('./commands/doctor.ts')],
}

process.exitCode = await runCommandLine(commands, process.argv.slice(2))
