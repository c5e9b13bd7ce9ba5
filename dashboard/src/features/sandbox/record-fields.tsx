import { NumberInput, Select, TextInput } from '@mantine/core'
import { type NewSandboxRecord, type SandboxZone } from '../../api/sandbox.ts'

const TYPES = ['CNAME', 'ALIAS', 'ANAME', 'A', 'AAAA', 'TXT', 'CAA', 'MX', 'NS']
const EVERYWHERE = 'all nameservers'

/** A record as it is typed in. */
export interface RecordDraft {
  type: string
  name: string
  value: string
  ttl: number | string
  onlyOn: string | null
}

interface RecordFieldsProps {
  zone: SandboxZone
  draft: RecordDraft
  change(draft: RecordDraft): void
}

export function RecordFields({ zone, draft, change }: RecordFieldsProps) {
  const { type, name, value, ttl, onlyOn } = draft
  const set = (changed: Partial<RecordDraft>) => change({ ...draft, ...changed })
  return (
    <>
      <Select
        label="Type"
        data={TYPES}
        value={type}
        allowDeselect={false}
        onChange={(chosen) => set({ type: chosen ?? 'CNAME' })}
      />
      <TextInput
        label="Name"
        placeholder="www, or @"
        required
        value={name}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <TextInput
        label="Value"
        required
        className="add-record-value"
        value={value}
        onChange={(event) => set({ value: event.currentTarget.value })}
      />
      <NumberInput
        label="TTL"
        min={0}
        max={604_800}
        allowDecimal={false}
        hideControls
        value={ttl}
        onChange={(seconds) => set({ ttl: seconds })}
      />
      <Select
        label="On"
        data={[EVERYWHERE, ...zone.nameservers]}
        value={onlyOn ?? EVERYWHERE}
        allowDeselect={false}
        onChange={(chosen) => set({ onlyOn: chosen === EVERYWHERE ? null : chosen })}
      />
    </>
  )
}

export const isComplete = ({ name, value }: RecordDraft) => name.trim() !== '' && value.trim() !== ''

export const inputOf = ({ type, name, value, ttl, onlyOn }: RecordDraft): NewSandboxRecord => ({
  type,
  name,
  value,
  ttl: Number(ttl),
  ...(onlyOn === null ? {} : { onlyOn }),
})
