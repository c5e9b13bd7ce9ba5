import { SegmentedControl } from '@mantine/core'
import { useLocation, useSearch } from 'wouter'

/** The status that the address asks for, if it is one; so that a filtered list can be linked to. */
export function useStatusFilter<Status extends string>(known: readonly Status[]): Status | null {
  const asked = new URLSearchParams(useSearch()).get('status')
  return known.find((status) => status === asked) ?? null
}

export function StatusFilter<Status extends string>({
  known,
  value,
}: {
  known: readonly Status[]
  value: Status | null
}) {
  const [path, go] = useLocation()
  return (
    <SegmentedControl
      aria-label="Status"
      size="xs"
      value={value ?? 'all'}
      data={[{ value: 'all', label: 'All' }, ...known.map((status) => ({ value: status, label: capitalised(status) }))]}
      onChange={(chosen) => go(chosen === 'all' ? path : `${path}?status=${chosen}`, { replace: true })}
    />
  )
}

const capitalised = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)
