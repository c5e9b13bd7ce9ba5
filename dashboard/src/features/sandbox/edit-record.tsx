import { Button, Group, Modal, Stack } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { addRecord, removeRecord, sandboxQuery, type SandboxRecord, type SandboxZone } from '../../api/sandbox.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { inputOf, isComplete, type RecordDraft, RecordFields } from './record-fields.tsx'
import { labelOf } from './records-section.tsx'

interface EditRecordProps {
  zone: SandboxZone
  record: SandboxRecord
  opened: boolean
  close(): void
}

export function EditRecord({ opened, close, ...rest }: EditRecordProps) {
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={`Edit ${rest.record.type} ${labelOf(rest.record.name, rest.zone.apex)}`}
    >
      <Fields {...rest} close={close} />
    </Modal>
  )
}

function Fields({ zone, record, close }: Omit<EditRecordProps, 'opened'>) {
  const { id, type, value, ttl, onlyOn } = record
  const [draft, setDraft] = useState<RecordDraft>({ type, value, ttl, onlyOn, name: labelOf(record.name, zone.apex) })
  const save = useMutation({
    mutationFn: async () => {
      // The new one first: a value that is refused leaves the old one in place.
      await addRecord(zone.apex, inputOf(draft))
      await removeRecord(zone.apex, id)
    },
    onSuccess: close,
    onSettled: () => queryClient.invalidateQueries(sandboxQuery),
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack gap="md">
        <RecordFields zone={zone} draft={draft} change={setDraft} />
        <Refusal error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={!isComplete(draft)}>
            Save record
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
