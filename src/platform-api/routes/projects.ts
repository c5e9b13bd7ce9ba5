import { notOwner } from '../../features/accounts/members.ts'
import { listMemberships } from '../../features/accounts/queries.ts'
import { type Project, projectView } from '../../features/projects/projects.ts'
import { listFactors } from '../../features/accounts/second-factors/second-factors.ts'
import type { Role } from '../../features/accounts/role.ts'
import type { Suspensions } from '../../features/projects/suspensions.ts'
import type { Clock } from '../../platform/clock.ts'
import { conflict, invalid } from '../../platform/errors.ts'
import { iso } from '../../platform/iso-date.ts'
import { boolean, object, optional, shownText, text } from '../../platform/schema.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import { changeProject } from '../change-project.ts'
import { createOwnProject } from '../create-project.ts'
import { deleteProjectRow, type ProjectPurge } from '../delete-project.ts'
import { KeysTo, removeMember } from '../member-keys.ts'
import { created, done, ok, type ProjectCall, route } from '../route.ts'
import { forPeople, roleOf } from '../token-scopes.ts'

export interface ProjectsRouteNeeds {
  clock: Clock
  changes: Pick<ChangeFeed, 'catchUp'>
  /** Gives every new project its first site. */
  publishStarter(): Promise<void>
  purge: Pick<ProjectPurge, 'run'>
  suspensions: Pick<Suspensions, 'of'>
  /** Where a project is published. */
  siteUrl(slug: string): string
}

const name = shownText(100)
const slug = text({ minLength: 1, maxLength: 100, rule: 'must be 3 to 63 letters, digits and hyphens' })

export const NewProject = object({ slug, name: optional(name) })
export const ProjectPatch = object({
  name: optional(name),
  slug: optional(slug),
  requireSecondFactor: optional(boolean()),
})
export const ProjectDeletion = object({
  confirm: text({ maxLength: 100, rule: "must be the project's slug, typed out" }),
})

export interface ProjectView extends ReturnType<typeof shown> {
  role: Role
  url: string
}

/** A project is known by its slug; its number stays inside. */
export function shown(project: Project, suspensions: Pick<Suspensions, 'of'>) {
  const { id, ...view } = project
  return { ...view, suspension: suspensions.of(id) ?? null }
}

export function projectRoutes(needs: ProjectsRouteNeeds) {
  const { clock, changes, publishStarter, purge, siteUrl, suspensions } = needs
  const view = (project: Project, role: Role): ProjectView => {
    return { ...shown(project, suspensions), role, url: siteUrl(project.slug) }
  }

  return [
    route({
      id: 'listProjects',
      summary: 'List the own projects',
      description: 'For a token, the one that it is for.',
      method: 'GET',
      path: '/projects',
      role: 'session',
      async handle({ storage, who, bearer }) {
        const rows = await listMemberships(storage.read, who.id)
        const shown = rows.filter(({ id }) => bearer === undefined || id === bearer.projectId)
        return ok(shown.map((row) => view(projectView(row), roleOf(row.role, bearer))))
      },
    }),
    route({
      id: 'createProject',
      summary: 'Create a project',
      description: 'Whoever creates it is its owner. It shows a starter site until the first deploy.',
      answers: [201],
      method: 'POST',
      path: '/projects',
      role: 'session',
      body: NewProject,
      refusal: 'The project was not created',
      async handle({ storage, who }, body) {
        const project = await createOwnProject({ storage, clock }, who.id, body)
        await publishStarter()
        await changes.catchUp()
        return created(view(project, 'owner'))
      },
    }),
    route({
      id: 'getProject',
      summary: 'Get a project',
      method: 'GET',
      path: '/projects/{project}',
      role: 'viewer',
      handle: async ({ project }) => ok(view(projectOf(project), project.role)),
    }),
    route({
      id: 'updateProject',
      summary: 'Change a project',
      description: 'A new slug moves the site to another address. No token changes `requireSecondFactor`.',
      method: 'PATCH',
      path: '/projects/{project}',
      role: 'owner',
      body: ProjectPatch,
      refusal: 'The project was not changed',
      async handle({ storage, who, bearer, project }, body) {
        // Who gets into a project, and by what, is no matter of programs; its name is.
        if (bearer && body.requireSecondFactor !== undefined) throw forPeople()
        if (body.requireSecondFactor && (await listFactors({ storage }, who)).factors.length === 0) {
          throw conflict('Add a passkey or one-time codes to your own account first, or you would lock yourself out.')
        }
        const input = { projectId: project.projectId, accountId: who.id, ...body }
        const changed = await changeProject({ storage, clock }, input)
        await changes.catchUp()
        return ok(view(changed, project.role))
      },
    }),
    route({
      id: 'deleteProject',
      summary: 'Delete a project',
      description: 'With everything in it, for good. `confirm` is the slug, typed out.',
      method: 'DELETE',
      path: '/projects/{project}',
      role: 'owner',
      body: ProjectDeletion,
      refusal: 'The project was not deleted',
      async handle({ storage, who, project }, { confirm }) {
        if (confirm.trim() !== project.slug) {
          throw invalid(`The project was not deleted: confirm must be its slug, ${project.slug}.`)
        }
        const deletion = { id: project.projectId, accountId: who.id, now: clock.now() }
        const outcome = await storage.write(deleteProjectRow, deletion)
        if (outcome.kind === 'not-owner') throw notOwner('delete a project')
        if (outcome.kind === 'missing') throw conflict('The project has been deleted already.')
        await changes.catchUp()
        void purge.run()
        return done()
      },
    }),
    route({
      id: 'leaveProject',
      summary: 'Leave a project',
      method: 'POST',
      path: '/projects/{project}/leave',
      role: 'viewer',
      whileSuspended: true,
      query: KeysTo,
      async handle({ storage, who, project, query: { keysTo } }) {
        const removal = { projectId: project.projectId, accountId: who.id, by: who.id, keysTo }
        await removeMember({ storage, clock }, removal)
        await changes.catchUp()
        return done()
      },
    }),
  ]
}

function projectOf({ projectId: id, createdAt, role: _, ...access }: ProjectCall['project']): Project {
  return { ...access, id, createdAt: iso(createdAt) }
}
