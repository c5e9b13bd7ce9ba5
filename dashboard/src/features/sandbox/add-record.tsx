import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearch } from 'wouter'
import { addRecord, sandboxQuery, type SandboxZone } from '../../api/sandbox.ts'
import { instead } from '../../parts/form.tsx'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { inputOf, isComplete, type RecordDraft, RecordFields } from './record-fields.tsx'

/** Filled in already when a domain's page has sent its record along. */
export function AddRecord({ zone }: { zone: SandboxZone }) {
  const sent = new URLSearchParams(useSearch())
  const [draft, setDraft] = useState<RecordDraft>({
    type: sent.get('type') ?? 'CNAME',
    name: sent.get('name') ?? '',
    value: sent.get('value') ?? '',
    ttl: 3600,
    onlyOn: null,
  })
  const add = useMutation({
    mutationFn: () => addRecord(zone.apex, inputOf(draft)),
    onSuccess: async () => {
      await queryClient.invalidateQueries(sandboxQuery)
      setDraft({ ...draft, name: '', value: '' })
    },
  })
  return (
    <form className="add-record" onSubmit={instead(add.mutate)}>
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
