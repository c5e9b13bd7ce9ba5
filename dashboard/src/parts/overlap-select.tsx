import { Select } from '@mantine/core'

const OVERLAPS = [
  { hours: 0, label: 'Not at all: it ends now' },
  { hours: 1, label: '1 hour' },
  { hours: 24, label: '1 day' },
  { hours: 168, label: '7 days' },
  { hours: 720, label: '30 days' },
]

export const OVERLAP_DEFAULT = '24'

interface OverlapSelectProps {
  label: string
  hoursMax: number
  /** In hours. */
  value: string
  choose(hours: string): void
}

/** For how long what is replaced goes on beside what replaces it. */
export function OverlapSelect({ label, hoursMax, value, choose }: OverlapSelectProps) {
  const allowed = OVERLAPS.filter(({ hours }) => hours <= hoursMax)
  return (
    <Select
      label={label}
      data={allowed.map(({ hours, label: shown }) => ({ value: String(hours), label: shown }))}
      value={value}
      allowDeselect={false}
      data-autofocus
      onChange={(chosen) => choose(chosen ?? OVERLAP_DEFAULT)}
    />
  )
}
