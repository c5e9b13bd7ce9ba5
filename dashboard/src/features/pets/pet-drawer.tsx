import { Anchor, Button, Drawer, Group, Stack, Text, Title } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useRef } from 'react'
import { Link } from 'wouter'
import { IconTrash } from '../../icons/icons.ts'
import type { Int64 } from '../../../../client/src/platform/platform.ts'
import { petHistoryQuery } from '../../api/audit.ts'
import { ordersQuery } from '../../api/orders.ts'
import { type Pet, petsByIdQuery } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { CopyIcon } from '../../parts/copy.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { WaitingLines } from '../../parts/waiting.tsx'
import { sentenceOf } from '../audit/sentences.ts'
import { OrderTag } from '../orders/order-tag.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { DeletePets } from './delete-pets.tsx'
import { StatusMenu } from './status-menu.tsx'
import { StatusTag } from './status-tag.tsx'
import { useStatusChange } from './use-status-change.ts'

interface PetDrawerProps {
  environment: Environment
  /** Undefined for none. */
  id: Int64 | undefined
  opened: boolean
  close(): void
}

/** One animal beside the list, at an address of its own. */
export default function PetDrawer({ environment, id, opened, close }: PetDrawerProps) {
  const { slug } = useProject()
  const found = useQuery(petsByIdQuery(slug, environment, id === undefined ? [] : [id]))
  const pet = id === undefined ? undefined : found.data?.items[0]
  return (
    <Drawer
      opened={opened}
      onClose={close}
      position="right"
      size="26rem"
      title={pet?.name ?? `Animal ${id ?? ''}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
      classNames={{ title: 'wrap-anywhere' }}
    >
      <QueryGuard query={found} waiting={<WaitingLines />}>
        {() =>
          pet ? (
            <Details pet={pet} environment={environment} close={close} />
          ) : (
            <Text size="sm">
              There is no animal {String(id)} in {environment}. It may have been deleted.
            </Text>
          )
        }
      </QueryGuard>
    </Drawer>
  )
}

function Details({ pet, environment, close }: { pet: Pet; environment: Environment; close(): void }) {
  const project = useProject()
  const change = useStatusChange(environment)
  const [deleting, dialog] = useDisclosure(false)
  const deleter = useRef<HTMLButtonElement>(null)
  return (
    <Stack gap="lg">
      <dl className="facts">
        <dt>Status</dt>
        <dd>
          {mayEdit(project) ? <StatusMenu pet={pet} change={change.mutate} /> : <StatusTag status={pet.status} />}
        </dd>
        <dt>Id</dt>
        <dd>
          <Group gap={4}>
            <span className="mono">{String(pet.id)}</span>
            <CopyIcon value={String(pet.id)} what="the id" />
          </Group>
        </dd>
        <dt>Category</dt>
        <dd>
          <Anchor
            component={Link}
            className="mono"
            href={`/projects/${project.slug}/${environment}/animals?category=${pet.categoryId}`}
          >
            {String(pet.categoryId)}
          </Anchor>
        </dd>
      </dl>
      <Part title="Orders">
        <PetOrders pet={pet} environment={environment} />
      </Part>
      <Part title="History">
        <PetHistory pet={pet} environment={environment} />
      </Part>
      {mayEdit(project) && (
        <Group>
          <Button
            ref={deleter}
            variant="light"
            color="red"
            size="xs"
            leftSection={<IconTrash size={15} />}
            onClick={dialog.open}
          >
            Delete…
          </Button>
        </Group>
      )}
      <DeletePets
        environment={environment}
        pets={[pet]}
        opened={deleting}
        close={dialog.close}
        opener={deleter}
        deleted={close}
      />
    </Stack>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <Title order={3} mb={6}>
        {title}
      </Title>
      {children}
    </section>
  )
}

function PetOrders({ pet, environment }: { pet: Pet; environment: Environment }) {
  const { slug } = useProject()
  const query = { petId: String(pet.id), order: 'newest', limit: '20' }
  return (
    <QueryGuard query={useQuery(ordersQuery(slug, environment, query))} waiting={<WaitingLines lines={2} />}>
      {({ items }) =>
        items.length === 0 ? (
          <Text size="sm" c="dimmed">
            Never ordered.
          </Text>
        ) : (
          <ul className="drawer-list">
            {items.map((order) => (
              <li key={String(order.id)}>
                <Group justify="space-between" gap="xs">
                  <Anchor component={Link} size="sm" href={`/projects/${slug}/${environment}/orders?q=${order.id}`}>
                    Order {String(order.id)}
                  </Anchor>
                  <OrderTag status={order.status} />
                </Group>
                <Text size="xs" c="dimmed">
                  placed <TimeAgo at={order.placedAt} />
                  {order.endedAt !== undefined && (
                    <>
                      , ended <TimeAgo at={order.endedAt} />
                    </>
                  )}
                </Text>
              </li>
            ))}
          </ul>
        )
      }
    </QueryGuard>
  )
}

function PetHistory({ pet, environment }: { pet: Pet; environment: Environment }) {
  const { slug } = useProject()
  return (
    <QueryGuard query={useQuery(petHistoryQuery(slug, environment, pet.id))} waiting={<WaitingLines lines={2} />}>
      {(entries) => (
        <>
          {entries.length > 0 && (
            <ul className="drawer-list">
              {entries.map((entry) => (
                <li key={entry.id}>
                  <Text size="sm" className="wrap-anywhere">
                    {sentenceOf(entry)}
                  </Text>
                  <Text size="xs" c="dimmed">
                    {entry.actor.name}, <TimeAgo at={entry.at} />
                  </Text>
                </li>
              ))}
            </ul>
          )}
          <Text size="xs" c="dimmed" mt={6}>
            What people did here. Changes made with an API key are not in the audit log.
          </Text>
        </>
      )}
    </QueryGuard>
  )
}
