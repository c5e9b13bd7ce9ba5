import { SegmentedControl } from '@mantine/core'

interface StatusFilterProps<Status extends string> {
  known: readonly Status[]
  value: Status | null
  change(chosen: string | null): void
}

export function StatusFilter<Status extends string>({ known, value, change }: StatusFilterProps<Status>) {
  return (
    <SegmentedControl
      aria-label="Status"
      size="xs"
      value={value ?? 'all'}
      data={[{ value: 'all', label: 'All' }, ...known.map((status) => ({ value: status, label: capitalised(status) }))]}
      onChange={(chosen) => change(chosen === 'all' ? null : chosen)}
    />
  )
}

const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
