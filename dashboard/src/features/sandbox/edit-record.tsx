import { addRecord, removeRecord, sandboxQuery, type SandboxRecord, type SandboxZone } from '../../api/sandbox.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { labelOf } from './label-of.ts'
import { inputOf, isComplete, RecordFields } from './record-fields.tsx'

const refresh = () => queryClient.invalidateQueries(sandboxQuery)

interface EditRecordProps {
  zone: SandboxZone
  record: SandboxRecord
  opened: boolean
  close(): void
}

export default function EditRecord({ zone, record, opened, close }: EditRecordProps) {
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
        const added = await addRecord(zone.apex, inputOf(draft))
        await removeRecord(zone.apex, id).finally(refresh)
        return added
      }}
      sent={(added) => {
        sayWithUndo(`${type} ${name} has been changed.`, async () => {
          await addRecord(zone.apex, inputOf({ type, name, value, ttl, onlyOn }))
          await removeRecord(zone.apex, added.id).finally(refresh)
        })
      }}
    >
      {(draft, set) => <RecordFields zone={zone} draft={draft} change={set} />}
    </FormDialog>
  )
}
