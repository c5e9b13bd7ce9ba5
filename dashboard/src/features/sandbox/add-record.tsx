import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearch } from 'wouter'
import { IconPlus } from '../../icons/icons.ts'
import { addRecord, removeRecord, sandboxQuery, type SandboxZone } from '../../api/sandbox.ts'
import { useSubmit } from '../../parts/form.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { inputOf, isComplete, type RecordDraft, RecordFields } from './record-fields.tsx'

const EMPTY: RecordDraft = { type: 'CNAME', name: '', value: '', ttl: 3600, onlyOn: null }

const refresh = () => queryClient.invalidateQueries(sandboxQuery)

/** Filled in already when a domain's page has sent its records along: the next one after each that is added. */
export function AddRecord({ zone }: { zone: SandboxZone }) {
  const [sent, setSent] = useState(recordsIn(useSearch()))
  const [draft, setDraft] = useState<RecordDraft>(sent[0] ?? EMPTY)
  const add = useMutation({
    mutationFn: () => addRecord(zone.apex, inputOf(draft)),
    onSuccess: async ({ id }) => {
      await refresh()
      sayWithUndo(`${draft.type} ${draft.name} has been added.`, () => removeRecord(zone.apex, id).then(refresh))
      setDraft(sent[1] ?? { ...draft, name: '', value: '' })
      setSent(sent.slice(1))
    },
  })
  return (
    <form className="add-record" onSubmit={useSubmit(add.mutateAsync)}>
      <div className="add-record-fields">
        <RecordFields zone={zone} draft={draft} change={setDraft} />
        <Button
          type="submit"
          leftSection={<IconPlus size={16} />}
          loading={add.isPending}
          disabled={!isComplete(draft)}
        >
          Add record
        </Button>
      </div>
      <Refusal error={add.error} />
    </form>
  )
}

function recordsIn(search: string): RecordDraft[] {
  const sent = new URLSearchParams(search)
  const [names, values] = [sent.getAll('name'), sent.getAll('value')]
  return sent.getAll('type').map((type, at) => ({ ...EMPTY, type, name: names[at] ?? '', value: values[at] ?? '' }))
}
