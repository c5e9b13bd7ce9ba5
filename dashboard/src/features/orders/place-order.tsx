import { Button, Select, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery } from '@tanstack/react-query'
import { readInt64 } from '../../../../client/src/int64.ts'
import { placeOrder } from '../../api/orders.ts'
import { petsQuery } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

interface PlaceOrderProps {
  environment: Environment
  opened: boolean
  close(): void
}

export function PlaceOrder({ environment, opened, close }: PlaceOrderProps) {
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
        notifications.show({ message: `Order ${order.id} holds animal ${order.petId} now.` })
        close()
      }}
    >
      {({ chosen }, set) => (
        <AnimalSelect environment={environment} value={chosen} change={(id) => set({ chosen: id })} />
      )}
    </FormDialog>
  )
}

interface AnimalSelectProps {
  environment: Environment
  value: string | null
  change(id: string | null): void
}

/** One of the available animals, of which there may be any number. */
function AnimalSelect({ environment, value, change }: AnimalSelectProps) {
  const { slug } = useProject()
  const list = useInfiniteQuery(petsQuery(slug, environment, { status: 'available' }))
  const pets = list.data?.pages.flatMap(({ items }) => items)
  return (
    <>
      {pets?.length === 0 ? (
        <Text size="sm" c="dimmed">
          No animal is available in {environment}: add one first.
        </Text>
      ) : (
        <Select
          label="Animal"
          description="The oldest ones that are available."
          placeholder={pets ? 'Choose an animal' : 'Loading…'}
          searchable
          data-autofocus
          required
          data={pets?.map((pet) => ({ value: String(pet.id), label: `${pet.name} (#${pet.id})` })) ?? []}
          value={value}
          onChange={change}
          nothingFoundMessage="No such animal among them"
        />
      )}
      {list.hasNextPage && (
        <Button variant="subtle" size="xs" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Offer more animals
        </Button>
      )}
      <Refusal error={list.error} />
    </>
  )
}
