import { NativeSelect, TextInput } from '@mantine/core'
import { type NewSandboxRecord, type SandboxZone } from '../../api/sandbox.ts'

const TYPES = ['CNAME', 'ALIAS', 'ANAME', 'A', 'AAAA', 'TXT', 'CAA', 'MX', 'NS']
const EVERYWHERE = 'all nameservers'
const TTL_USUAL = 3600

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
      <NativeSelect
        label="Type"
        data={TYPES}
        value={type}
        onChange={(event) => set({ type: event.currentTarget.value })}
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
      <TextInput
        label="TTL"
        inputMode="numeric"
        maxLength={6}
        value={ttl}
        onChange={(event) => set({ ttl: event.currentTarget.value.replaceAll(/\D/g, '') })}
      />
      <NativeSelect
        label="On"
        data={[EVERYWHERE, ...zone.nameservers]}
        value={onlyOn ?? EVERYWHERE}
        onChange={({ currentTarget: { value: place } }) => set({ onlyOn: place === EVERYWHERE ? null : place })}
      />
    </>
  )
}

export const isComplete = ({ name, value }: RecordDraft) => name.trim() !== '' && value.trim() !== ''

export const inputOf = ({ type, name, value, ttl, onlyOn }: RecordDraft): NewSandboxRecord => ({
  type,
  name,
  value,
  // Nothing typed is no time to live of 0.
  ttl: ttl === '' ? TTL_USUAL : Number(ttl),
  ...(onlyOn === null ? {} : { onlyOn }),
})
