import { readInt64 } from '../../../../client/src/int64.ts'
import { endOrder, placeOrder } from '../../api/orders.ts'
import type { Environment } from '../../api/projects.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'
import AnimalSelect from './animal-select.tsx'

interface PlaceOrderProps {
  environment: Environment
  opened: boolean
  close(): void
}

export default function PlaceOrder({ environment, opened, close }: PlaceOrderProps) {
  const { slug } = useProject()
  return (
    <FormDialog
      opened={opened}
      close={close}
      title={`Place an order in ${environment}`}
      action="Place order"
      initial={{ chosen: null as string | null }}
      isComplete={({ chosen }) => chosen !== null}
      send={async ({ chosen }) => {
        const petId = readInt64(chosen ?? '')
        if (petId === undefined) throw new Error('Choose an animal first.')
        return placeOrder(slug, environment, petId)
      }}
      sent={async (order) => {
        await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
        sayWithUndo(`Order ${order.id} holds animal ${order.petId} now.`, async () => {
          await endOrder(slug, environment, order.id, 'cancelled')
          await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
        })
      }}
    >
      {({ chosen }, set) => (
        <AnimalSelect
          label="Animal"
          description="One that is available. Type how its name begins, or its id."
          placeholder="Choose an animal"
          data-autofocus
          required
          onlyAvailable
          environment={environment}
          value={chosen}
          change={(id) => set({ chosen: id })}
        />
      )}
    </FormDialog>
  )
}
