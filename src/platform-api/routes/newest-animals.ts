import { findNewestPets } from '../../features/pets/queries.ts'
import { pets } from '../../features/pets/tables.ts'
import { notFound } from '../../platform/errors.ts'
import { ENVIRONMENTS } from '../../platform/http/operation.ts'
import { parameter, route } from '../route.ts'

const SHOWN = 5

/** The interface lists the oldest first; the overview shows what has just come in. */
export function newestAnimalsRoutes() {
  return [
    route({
      id: 'listNewestAnimals',
      method: 'GET',
      path: '/projects/{project}/environments/{environment}/newest-animals',
      role: 'viewer',
      async handle(call) {
        const environment = ENVIRONMENTS.find((known) => known === parameter(call, 'environment'))
        if (!environment) throw notFound('There are two environments: production and staging.')
        const { projectId } = call.project
        const rows = await findNewestPets(call.storage.read, { projectId, environment }, SHOWN)
        return { status: 200, json: pets.toJsonList(rows) }
      },
    }),
  ]
}
