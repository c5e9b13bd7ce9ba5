import { importSentRows, sentImport, SentRows } from '../../../features/pets/import/sent-rows.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { RowRoom } from '../../../platform/storage/rows/row-room.ts'
import { ok, parameter, route } from '../../route.ts'
import { BELOW, tenantOfPath } from './tenant.ts'

export interface ImportRouteNeeds {
  clock: Clock
  rooms: { pets: Pick<RowRoom, 'take'> }
}

/** Files of animals, read by the browser and sent part by part. */
export function importRoutes(needs: ImportRouteNeeds) {
  return [
    route({
      id: 'getImport',
      summary: 'See how far an import has come',
      method: 'GET',
      path: `${BELOW}/imports/{sha256}`,
      role: 'viewer',
      async handle(call) {
        return ok(await sentImport(call.storage.read, tenantOfPath(call), parameter(call, 'sha256')))
      },
    }),
    route({
      id: 'importPets',
      summary: 'Import a part of a file of animals',
      description: 'The rows behind `after`, up to `through`, of the file with this hash; none is stored twice.',
      method: 'POST',
      path: `${BELOW}/imports/{sha256}`,
      role: 'editor',
      body: SentRows,
      refusal: 'Nothing was imported',
      async handle(call, body) {
        const { clock, rooms } = needs
        const sha256 = parameter(call, 'sha256')
        return ok(await importSentRows({ storage: call.storage, clock, rooms }, tenantOfPath(call), sha256, body))
      },
    }),
  ]
}
