import { ActionIcon, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { IconPencil, IconTrash } from '../../icons/icons.ts'
import { messageOf } from '../../api/platform.ts'
import {
  addRecord,
  removeRecord,
  removeZone,
  sandboxQuery,
  type SandboxRecord,
  type SandboxZone,
} from '../../api/sandbox.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Section } from '../../parts/section.tsx'
import { Tag } from '../../parts/tag.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { useLeadOn } from '../../parts/use-parameter.ts'
import { queryClient } from '../../query-client.ts'
import { AddRecord } from './add-record.tsx'
import { labelOf } from './label-of.ts'
import { lateDialog } from '../../parts/late-dialog.tsx'

const EditRecord = lateDialog(() => import('./edit-record.tsx'))

const refresh = () => queryClient.invalidateQueries(sandboxQuery)

/** The zone as its owner would see it at a registrar. */
export function RecordsSection({ zone }: { zone: SandboxZone }) {
  const { apex, records, nameservers, serial } = zone
  const leadOn = useLeadOn()
  const [asking, { open, close }] = useDisclosure(false)
  const [edited, setEdited] = useState<SandboxRecord | null>(null)
  const [isEditing, editing] = useDisclosure(false)
  const remove = useMutation({
    mutationFn: ({ id }: SandboxRecord) => removeRecord(apex, id),
    onSuccess: (_, { type, name, value, ttl, onlyOn }) =>
      sayWithUndo(`${type} ${labelOf(name, apex)} has been deleted.`, () =>
        addRecord(apex, { type, name: labelOf(name, apex), value, ttl, ...(onlyOn ? { onlyOn } : {}) }).then(refresh),
      ),
    onError: (error) => notifications.show({ color: 'red', message: messageOf(error) }),
    onSettled: refresh,
  })
  const columns: Column<SandboxRecord>[] = [
    { head: 'Type', fw: 600, cell: ({ type }) => type },
    { head: 'Name', className: 'mono wrap-anywhere', cell: ({ name }) => labelOf(name, apex) },
    {
      head: 'Value',
      className: 'mono wrap-anywhere',
      cell: ({ value, onlyOn }) => (
        <>
          {value} {onlyOn && <Tag tone="violet">only on {onlyOn}</Tag>}
        </>
      ),
    },
    { head: 'TTL', className: 'mono', onlyWide: true, cell: ({ ttl }) => ttl },
    {
      ta: 'right',
      className: 'record-actions',
      cell: (record) => (
        <>
          <ActionIcon
            title="Edit"
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
          <ActionIcon
            title="Delete"
            variant="subtle"
            color="red"
            aria-label={`Delete ${record.type} ${labelOf(record.name, apex)}`}
            loading={remove.isPending && remove.variables.id === record.id}
            onClick={() => remove.mutate(record)}
          >
            <IconTrash size={17} stroke={1.7} />
          </ActionIcon>
        </>
      ),
    },
  ]
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
      <DataTable
        columns={columns}
        items={records}
        keyOf={({ id }) => id}
        empty="No records yet: add the one that the dashboard shows for your domain."
      />
      <AddRecord zone={zone} />
      {edited && <EditRecord key={edited.id} zone={zone} record={edited} opened={isEditing} close={editing.close} />}
      <Confirm
        opened={asking}
        close={close}
        title={`Remove the zone ${apex}?`}
        action="Remove zone"
        send={() => removeZone(apex)}
        sent={() => {
          leadOn('/sandbox')
          void refresh()
        }}
      >
        <p>
          Its records and faults go with it. Domains below it then fail their checks, as if it had never been
          registered.
        </p>
      </Confirm>
    </Section>
  )
}
