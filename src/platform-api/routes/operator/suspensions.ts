import { findProject } from '../../../features/projects/projects.ts'
import {
  NewSuspension,
  resumeProject,
  suspendProject,
  type Suspensions,
} from '../../../features/projects/suspensions.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { AuditedStorage } from '../../../platform/storage/storage.ts'
import { ok, parameter, route } from '../../route.ts'
import { shown } from '../projects.ts'

export interface SuspensionRouteNeeds {
  clock: Clock
  suspensions: Pick<Suspensions, 'of' | 'load'>
}

/** Stops a project without taking anything away, and lets it go on. */
export function suspensionRoutes({ clock, suspensions }: SuspensionRouteNeeds) {
  const answer = async (storage: AuditedStorage, slug: string) => {
    await suspensions.load()
    return ok(shown(await findProject({ storage }, slug), suspensions))
  }
  return [
    route({
      id: 'suspendProject',
      summary: 'Suspend a project',
      description: 'Its site, keys and changes stop at once; nothing is taken away.',
      method: 'PUT',
      path: '/operator/projects/{slug}/suspension',
      role: 'operator',
      body: NewSuspension,
      refusal: 'The project was not suspended',
      async handle(call, { reason }) {
        const slug = parameter(call, 'slug')
        await suspendProject({ storage: call.storage }, { slug, reason, now: clock.now() })
        return answer(call.storage, slug)
      },
    }),
    route({
      id: 'resumeProject',
      summary: 'Let a suspended project go on',
      method: 'DELETE',
      path: '/operator/projects/{slug}/suspension',
      role: 'operator',
      async handle(call) {
        const slug = parameter(call, 'slug')
        await resumeProject({ storage: call.storage }, { slug, now: clock.now() })
        return answer(call.storage, slug)
      },
    }),
  ]
}
