import type { CommandTable } from './line/command.ts'

/** Every command that talks to a server: its words, what it does in a few more, and the file that does it. */
export const networkCommands: CommandTable = {
  login: ['Sign in at a server', () => import('./login.ts')],
  logout: ['Sign out again', () => import('./logout.ts')],
  whoami: ['Tell in whose name the commands act', () => import('./whoami.ts')],
  open: ['Open a site, the dashboard or the documentation', () => import('./open.ts')],
  logs: ['Print what has changed in a project', () => import('./logs.ts')],
  'projects create': ['Create a project', () => import('./projects/create.ts')],
  'projects list': ['List projects', () => import('./projects/list.ts')],
  'projects plan': ["Change a project's plan", () => import('./projects/plan.ts')],
  'projects suspend': ['Stop a project without taking anything away', () => import('./projects/suspend.ts')],
  'projects resume': ['Let a suspended project go on', () => import('./projects/resume.ts')],
  'members list': ['List the people of a project', () => import('./members/list.ts')],
  'members invite': ['Invite somebody to a project', () => import('./members/invite.ts')],
  'members remove': ['Remove somebody from a project', () => import('./members/remove.ts')],
  'keys create': ['Mint an API key', () => import('./keys/create.ts')],
  'keys list': ['List the API keys of a project', () => import('./keys/list.ts')],
  'keys revoke': ['Revoke an API key', () => import('./keys/revoke.ts')],
  'keys rotate': ['Replace an API key without a gap', () => import('./keys/rotate.ts')],
  'tokens create': ['Make a token for CI', () => import('./tokens/create.ts')],
  'tokens list': ['List the tokens of a project', () => import('./tokens/list.ts')],
  'tokens revoke': ['Revoke a token', () => import('./tokens/revoke.ts')],
  'pets list': ['List animals', () => import('./pets/list.ts')],
  'pets add': ['Add an animal', () => import('./pets/add.ts')],
  'pets update': ['Change an animal', () => import('./pets/update.ts')],
  'pets delete': ['Delete an animal', () => import('./pets/delete.ts')],
  import: ['Add animals from a CSV or NDJSON file', () => import('./import.ts')],
  'orders list': ['List orders', () => import('./orders/list.ts')],
  'orders place': ['Order an animal', () => import('./orders/place.ts')],
  'orders end': ['Complete or cancel an order', () => import('./orders/end.ts')],
  deploy: ['Publish a directory as the site of a project', () => import('./deploy.ts')],
  'deploys list': ['List the deploys of a project', () => import('./deploys/list.ts')],
  'deploys activate': ['Show a deploy, or go back to one', () => import('./deploys/activate.ts')],
  'domains add': ['Attach a domain and see the record to create', () => import('./domains/add.ts')],
  'domains verify': ['Check the DNS of a domain and get its certificate', () => import('./domains/verify.ts')],
  'domains list': ['List the domains of a project', () => import('./domains/list.ts')],
  'domains show': ['Show all that is known of a domain', () => import('./domains/show.ts')],
  'domains primary': ['Choose the domain that serves the site', () => import('./domains/primary.ts')],
  'domains redirect': ['Let a domain redirect to another', () => import('./domains/redirect.ts')],
  'domains remove': ['Remove a domain: traffic stops at once', () => import('./domains/remove.ts')],
  'webhooks create': ['Send events to an address', () => import('./webhooks/create.ts')],
  'webhooks list': ['List where events are sent to', () => import('./webhooks/list.ts')],
  'webhooks remove': ['Remove an endpoint of events', () => import('./webhooks/remove.ts')],
  listen: ['Forward events to this machine', () => import('./listen.ts')],
  'users list': ['List all accounts', () => import('./users/list.ts')],
  'users invite': ['Invite somebody to open an account', () => import('./users/invite.ts')],
  'sandbox dns list': ['List the zones of the sandbox', () => import('./sandbox/list.ts')],
  'sandbox dns add': ['Add a record to the sandbox', () => import('./sandbox/add.ts')],
  'sandbox dns remove': ['Remove a record, a fault or a zone', () => import('./sandbox/remove.ts')],
  'sandbox dns fault': ['Let a zone of the sandbox misbehave', () => import('./sandbox/fault.ts')],
}

/** Commands on the machine and the database of the service, which only its checkout has. */
export const CHECKOUT_COMMANDS = [
  'serve',
  'domains explain',
  'users create',
  'users add',
  'users reset-password',
  'ca root',
  'master-key give-up',
  'backup',
  'restore',
  'move',
  'doctor',
] as const

/** With the one command that has to know all the others. */
export function withCompletion(commands: CommandTable): CommandTable {
  const table: CommandTable = {
    ...commands,
    completion: [
      'Print a completion script for bash, zsh or fish',
      async () => (await import('./completion.ts')).completionCommand(table),
    ],
  }
  return table
}
