import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { readInt64 } from '../../api/exact-json.ts'
import { placeOrder } from '../../api/orders.ts'
import { petsQuery } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

interface PlaceOrderProps {
  environment: Environment
  opened: boolean
  close(): void
}

export function PlaceOrder({ environment, opened, close }: PlaceOrderProps) {
  return (
    <Modal opened={opened} onClose={close} title={`Place an order in ${environment}`}>
      <Fields environment={environment} close={close} />
    </Modal>
  )
}

function Fields({ environment, close }: Omit<PlaceOrderProps, 'opened'>) {
  const { slug } = useProject()
  const list = useInfiniteQuery(petsQuery(slug, environment, 'available'))
  const pets = list.data?.pages.flatMap(({ items }) => items)
  const [chosen, setChosen] = useState<string | null>(null)
  const petId = readInt64(chosen ?? '')
  const place = useMutation({
    mutationFn: async () => {
      if (petId === undefined) throw new Error('Choose an animal first.')
      return placeOrder(slug, environment, petId)
    },
    onSuccess: async (order) => {
      await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
      notifications.show({ message: `Order ${order.id} holds animal ${order.petId} now.` })
      close()
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        place.mutate()
      }}
    >
      <Stack gap="md">
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
            value={chosen}
            onChange={setChosen}
            nothingFoundMessage="No such animal among them"
          />
        )}
        {list.hasNextPage && (
          <Button
            variant="subtle"
            size="xs"
            loading={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            Offer more animals
          </Button>
        )}
        <Refusal error={place.error ?? list.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={place.isPending} disabled={petId === undefined}>
            Place order
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
