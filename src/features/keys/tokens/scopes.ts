/** What a token may be allowed: by noun, to read or to write. */
const READ_AND_WRITE = ['project', 'deploys', 'domains', 'keys', 'webhooks', 'pets', 'orders'] as const
const READ_ONLY = ['members', 'audit'] as const

export type TokenScope = `${(typeof READ_AND_WRITE)[number]}:${'read' | 'write'}` | `${(typeof READ_ONLY)[number]}:read`

export const TOKEN_SCOPES: readonly TokenScope[] = [
  ...READ_AND_WRITE.flatMap((noun): TokenScope[] => [`${noun}:read`, `${noun}:write`]),
  ...READ_ONLY.map((noun): TokenScope => `${noun}:read`),
]

/** Whoever may write something may read it. */
export const allows = (scopes: readonly TokenScope[], needed: TokenScope) =>
  scopes.includes(needed) || scopes.includes(needed.replace(':read', ':write') as TokenScope)
