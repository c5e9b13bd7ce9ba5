/** The sections of the reference, in order, with the nouns of the paths that belong to each. */
const TAGS = [
  {
    name: 'Sign-in',
    description: 'Signing in and out, passwords, and links that were mailed.',
    nouns: ['session', 'sign-in', 'sign-up', 'sign-out', 'links', 'password'],
  },
  { name: 'Account', description: 'The own account and its sessions.', nouns: ['account', 'sessions'] },
  {
    name: 'Projects',
    description: 'Projects, their numbers, and what the service has to tell their people.',
    nouns: [
      'projects',
      'installation',
      'leave',
      'overview',
      'usage',
      'requests',
      'traffic',
      'failed-requests',
      'events',
      'shares',
      'notifications',
    ],
  },
  { name: 'Members', description: 'The people of a project.', nouns: ['members', 'invitations'] },
  { name: 'Keys', description: 'API keys of the animals interface.', nouns: ['keys'] },
  { name: 'Tokens', description: 'Tokens for programs that use this interface.', nouns: ['token', 'tokens'] },
  { name: 'Deploys', description: 'Publishing a site.', nouns: ['deploys', 'blobs'] },
  {
    name: 'Webhooks',
    description: 'Where the events of a project are sent to, what was sent, and listening to them.',
    nouns: ['webhooks', 'listeners'],
  },
  {
    name: 'Domains',
    description: 'Custom domains: Add, Verify, primary and redirects, Remove, and what explains them.',
    nouns: ['domains', 'prepared-domains', 'removed-domains'],
  },
  { name: 'Animals', description: 'The animals and orders of either environment.', nouns: ['environments'] },
  { name: 'Audit', description: 'Who has changed what.', nouns: ['audit'] },
  { name: 'Sandbox', description: 'The registrar of the rehearsal, where it is on.', nouns: ['sandbox'] },
  { name: 'Operator', description: 'For the operator of the platform only.', nouns: ['operator'] },
]

export const tags = TAGS.map(({ name, description }) => ({ name, description }))

/** By the first word of the path, or the first one below a project. */
export function tagOf(path: string): string {
  const noun = path.replace(/^\/projects\/\{project\}\//, '/').split('/')[1] ?? ''
  const tag = TAGS.find(({ nouns }) => nouns.includes(noun))
  if (!tag) throw new Error(`${path}: no section has "${noun}". Give it to one in src/platform-api/openapi/tags.ts.`)
  return tag.name
}
