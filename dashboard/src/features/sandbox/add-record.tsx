import { Button, NumberInput, Select, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearch } from 'wouter'
import { addRecord, sandboxQuery, type SandboxZone } from '../../api/sandbox.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'

const TYPES = ['CNAME', 'ALIAS', 'ANAME', 'A', 'AAAA', 'TXT', 'CAA', 'MX', 'NS']
const EVERYWHERE = 'all nameservers'

/** Filled in already when a domain's page has sent its record along. */
export function AddRecord({ zone }: { zone: SandboxZone }) {
  const sent = new URLSearchParams(useSearch())
  const [type, setType] = useState(sent.get('type') ?? 'CNAME')
  const [name, setName] = useState(sent.get('name') ?? '')
  const [value, setValue] = useState(sent.get('value') ?? '')
  const [ttl, setTtl] = useState<number | string>(3600)
  const [place, setPlace] = useState(EVERYWHERE)
  const add = useMutation({
    mutationFn: () =>
      addRecord(zone.apex, { type, name, value, ttl: Number(ttl), ...(place === EVERYWHERE ? {} : { onlyOn: place }) }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(sandboxQuery)
      setName('')
      setValue('')
    },
  })
  return (
    <form
      className="add-record"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate()
      }}
    >
      <div className="add-record-fields">
        <Select label="Type" data={TYPES} value={type} allowDeselect={false} onChange={(chosen) => setType(chosen ?? 'CNAME')} />
        <TextInput label="Name" placeholder="www, or @" required value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <TextInput label="Value" required className="add-record-value" value={value} onChange={(event) => setValue(event.currentTarget.value)} />
        <NumberInput label="TTL" min={0} max={604_800} allowDecimal={false} hideControls value={ttl} onChange={setTtl} />
        <Select
          label="On" data={[EVERYWHERE, ...zone.nameservers]} value={place} allowDeselect={false}
          onChange={(chosen) => setPlace(chosen ?? EVERYWHERE)}
        />
        <Button type="submit" leftSection={<IconPlus size={16} />} loading={add.isPending} disabled={name === '' || value === ''}>
          Add record
        </Button>
      </div>
      <Refusal error={add.error} />
    </form>
  )
}
