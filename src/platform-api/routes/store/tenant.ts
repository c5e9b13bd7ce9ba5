import { notFound } from '../../../platform/errors.ts'
import { ENVIRONMENTS, type Environment } from '../../../platform/http/operation.ts'
import { parameter, type ProjectCall } from '../../route.ts'

export const BELOW = '/projects/{project}/environments/{environment}'

/** Whose animals and orders a path below an environment is about. */
export function tenantOfPath(call: ProjectCall): { projectId: number; environment: Environment } {
  const name = parameter(call, 'environment')
  const environment = ENVIRONMENTS.find((known) => known === name)
  if (!environment) throw notFound('There are two environments: production and staging.')
  return { projectId: call.project.projectId, environment }
}
