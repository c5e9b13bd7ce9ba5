import { ActionIcon, Button, Table, Text, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { messageOf } from '../../api/api-error.ts'
import { removeRecord, removeZone, sandboxQuery, type SandboxRecord, type SandboxZone } from '../../api/sandbox.ts'
import { ActionsHead } from '../../parts/actions-head.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { queryClient } from '../../query-client.ts'
import { AddRecord } from './add-record.tsx'
import { EditRecord } from './edit-record.tsx'

const refresh = () => queryClient.invalidateQueries(sandboxQuery)

/** The zone as its owner would see it at a registrar. */
export function RecordsSection({ zone }: { zone: SandboxZone }) {
  const { apex, records, nameservers, serial } = zone
  const [, go] = useLocation()
  const [asking, { open, close }] = useDisclosure(false)
  const [edited, setEdited] = useState<SandboxRecord | null>(null)
  const [isEditing, editing] = useDisclosure(false)
  const remove = useMutation({
    mutationFn: (id: string) => removeRecord(apex, id),
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
    onSettled: refresh,
  })
  const drop = useMutation({
    mutationFn: () => removeZone(apex),
    onSuccess: async () => {
      close()
      go('/sandbox')
      await refresh()
    },
  })
  return (
    <Section
      flush
      title={`Records of ${apex}`}
      description={`Nameservers: ${nameservers.join(' and ')}. Serial ${serial}.`}
      actions={
        <Button size="xs" variant="subtle" color="red" onClick={open}>
          Remove zone
        </Button>
      }
    >
      <Table className="rows">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Type</Table.Th>
            <Table.Th>Name</Table.Th>
            <Table.Th>Value</Table.Th>
            <Table.Th className="only-wide">TTL</Table.Th>
            <ActionsHead />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {records.length === 0 && (
            <Table.Tr>
              <Table.Td colSpan={5}>
                <Text size="sm" c="dimmed">
                  No records yet: add the one that the dashboard shows for your domain.
                </Text>
              </Table.Td>
            </Table.Tr>
          )}
          {records.map((record) => (
            <Table.Tr key={record.id}>
              <Table.Td fw={600}>{record.type}</Table.Td>
              <Table.Td className="mono wrap-anywhere">{labelOf(record.name, apex)}</Table.Td>
              <Table.Td className="mono wrap-anywhere">
                {record.value} {record.onlyOn && <Tag tone="violet">only on {record.onlyOn}</Tag>}
              </Table.Td>
              <Table.Td className="mono only-wide">{record.ttl}</Table.Td>
              <Table.Td ta="right" className="record-actions">
                <Tooltip label="Edit">
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    aria-label={`Edit ${record.type} ${labelOf(record.name, apex)}`}
                    onClick={() => {
                      setEdited(record)
                      editing.open()
                    }}
                  >
                    <IconPencil size={17} stroke={1.7} />
                  </ActionIcon>
                </Tooltip>
                <Tooltip label="Delete">
                  <ActionIcon
                    variant="subtle"
                    color="red"
                    aria-label={`Delete ${record.type} ${labelOf(record.name, apex)}`}
                    loading={remove.isPending && remove.variables === record.id}
                    onClick={() => remove.mutate(record.id)}
                  >
                    <IconTrash size={17} stroke={1.7} />
                  </ActionIcon>
                </Tooltip>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <AddRecord zone={zone} />
      {edited && <EditRecord key={edited.id} zone={zone} record={edited} opened={isEditing} close={editing.close} />}
      <Confirm
        opened={asking}
        close={close}
        title={`Remove the zone ${apex}?`}
        action="Remove zone"
        pending={drop.isPending}
        error={drop.error}
        run={() => drop.mutate()}
      >
        <p>
          Its records and faults go with it. Domains below it then fail their checks, as if it had never been
          registered.
        </p>
      </Confirm>
    </Section>
  )
}

export function labelOf(name: string, apex: string): string {
  return name === apex ? '@' : name.endsWith(`.${apex}`) ? name.slice(0, -apex.length - 1) : name
}
