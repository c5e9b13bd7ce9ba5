import { createToken, LIFE_DAYS_MAX, listTokens, revokeToken } from '../../features/keys/tokens/tokens.ts'
import { TOKEN_SCOPES } from '../../features/keys/tokens/scopes.ts'
import type { Clock } from '../../platform/clock.ts'
import { array, integer, object, oneOf, optional, PRINTABLE, text } from '../../platform/schema.ts'
import { keepTokenIfMember, withMaker, withMakers } from '../member-keys.ts'
import { created, ok, parameter, route } from '../route.ts'

export const NewTokenBody = object({
  name: text({ minLength: 1, maxLength: 100, pattern: PRINTABLE, rule: 'must be 1 to 100 characters long' }),
  scopes: array(oneOf(TOKEN_SCOPES), {
    maxItems: TOKEN_SCOPES.length,
    rule: `must be a list of these: ${TOKEN_SCOPES.join(', ')}`,
  }),
  expiresInDays: optional(integer({ minimum: 1, maximum: LIFE_DAYS_MAX, rule: `must be 1 to ${LIFE_DAYS_MAX} days` })),
})

/** Made by people only: a token can neither make nor end another one. */
export function tokenRoutes({ clock }: { clock: Clock }) {
  return [
    route({
      id: 'listTokens',
      summary: 'List the tokens',
      method: 'GET',
      path: '/projects/{project}/tokens',
      role: 'viewer',
      async handle({ storage, project }) {
        return ok(await withMakers(storage.read, await listTokens({ storage, clock }, project.projectId)))
      },
    }),
    route({
      id: 'createToken',
      summary: 'Create a token',
      description: 'The token is in this answer only.',
      answers: [201],
      method: 'POST',
      path: '/projects/{project}/tokens',
      role: 'editor',
      body: NewTokenBody,
      refusal: 'The token was not created',
      async handle({ storage, who, project: { projectId } }, body) {
        const token = await createToken({ storage, clock }, { projectId, madeBy: who.id }, body)
        await keepTokenIfMember({ storage, clock }, projectId, token)
        return created(await withMaker(storage.read, token))
      },
    }),
    route({
      id: 'revokeToken',
      summary: 'Revoke a token',
      description: 'The next request with it is refused.',
      method: 'DELETE',
      path: '/projects/{project}/tokens/{token}',
      role: 'editor',
      async handle(call) {
        const { storage, project } = call
        const token = await revokeToken({ storage, clock }, project.projectId, parameter(call, 'token'))
        return ok(await withMaker(storage.read, token))
      },
    }),
  ]
}
