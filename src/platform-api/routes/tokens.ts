import {
  createToken,
  LIFE_DAYS_MAX,
  listTokens,
  revokeToken,
  showToken,
  type TokenView,
} from '../../features/keys/tokens/tokens.ts'
import { TOKEN_SCOPES } from '../../features/keys/tokens/scopes.ts'
import { findProjectById } from '../../features/projects/queries.ts'
import type { Clock } from '../../platform/clock.ts'
import { notFound } from '../../platform/errors.ts'
import { array, integer, object, oneOf, optional, shownText } from '../../platform/schema.ts'
import { type Named, storageOfMember, withMaker, withMakers } from '../member-keys.ts'
import { created, ok, parameter, route } from '../route.ts'

export const NewTokenBody = object({
  name: shownText(100),
  scopes: array(oneOf(TOKEN_SCOPES), {
    maxItems: TOKEN_SCOPES.length,
    rule: `must be a list of these: ${TOKEN_SCOPES.join(', ')}`,
  }),
  expiresInDays: optional(integer({ minimum: 1, maximum: LIFE_DAYS_MAX, rule: `must be 1 to ${LIFE_DAYS_MAX} days` })),
})

/** With the project that it is for. */
export interface TokenInUse extends Named<TokenView> {
  project: { slug: string; name: string }
}

/** Made by people only: a token can neither make nor end another one. */
export function tokenRoutes({ clock }: { clock: Clock }) {
  return [
    route({
      id: 'getToken',
      summary: 'Describe the token that asks',
      method: 'GET',
      path: '/token',
      role: 'session',
      errors: ['not_found'],
      async handle({ storage, bearer }) {
        if (!bearer) throw notFound('No token has been sent: this is for programs.')
        const token = await showToken({ storage, clock }, bearer.projectId, bearer.id)
        const project = await findProjectById(storage.read, bearer.projectId)
        if (!token || !project) throw notFound('The token or its project has just been removed.')
        const { slug, name } = project
        return ok({ ...(await withMaker(storage.read, token)), project: { slug, name } } satisfies TokenInUse)
      },
    }),
    route({
      id: 'listTokens',
      summary: 'List the tokens',
      description: 'Those that have ended are listed for 90 days, beyond the last 500 for an hour.',
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
        const member = storageOfMember(storage, { projectId, accountId: who.id }, 'tokens')
        const token = await createToken({ storage: member, clock }, { projectId, madeBy: who.id }, body)
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
