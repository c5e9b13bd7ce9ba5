import { addRecord, removeRecord, sandboxQuery, type SandboxRecord, type SandboxZone } from '../../api/sandbox.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { queryClient } from '../../query-client.ts'
import { labelOf } from './label-of.ts'
import { inputOf, isComplete, RecordFields } from './record-fields.tsx'

interface EditRecordProps {
  zone: SandboxZone
  record: SandboxRecord
  opened: boolean
  close(): void
}

export function EditRecord({ zone, record, opened, close }: EditRecordProps) {
  const { id, type, value, ttl, onlyOn } = record
  const name = labelOf(record.name, zone.apex)
  return (
    <FormDialog
      opened={opened}
      close={close}
      title={`Edit ${type} ${name}`}
      action="Save record"
      initial={{ type, name, value, ttl: ttl as number | string, onlyOn }}
      isComplete={isComplete}
      send={async (draft) => {
        // The new one first: a value that is refused leaves the old one in place.
        await addRecord(zone.apex, inputOf(draft))
        await removeRecord(zone.apex, id).finally(() => void queryClient.invalidateQueries(sandboxQuery))
      }}
      sent={close}
    >
      {(draft, set) => <RecordFields zone={zone} draft={draft} change={set} />}
    </FormDialog>
  )
}
