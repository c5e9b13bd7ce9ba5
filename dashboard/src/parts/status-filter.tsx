import { Segments } from './segments.tsx'

interface StatusFilterProps<Status extends string> {
  known: readonly Status[]
  value: Status | null
  change(chosen: string | null): void
}

export function StatusFilter<Status extends string>({ known, value, change }: StatusFilterProps<Status>) {
  return (
    <Segments
      label="Status"
      value={value ?? 'all'}
      choices={[
        { value: 'all', label: 'All' },
        ...known.map((status) => ({ value: status, label: capitalised(status) })),
      ]}
      change={(chosen) => change(chosen === 'all' ? null : chosen)}
    />
  )
}

const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
