import { queryOptions, useQuery } from '@tanstack/react-query'
import type { Installation } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type { Installation }

export const installationQuery = queryOptions({
  queryKey: ['installation'],
  queryFn: ({ signal }) => platform.call('GET /installation', { signal }),
  staleTime: Infinity,
})

/** What the operator has set up: loaded before any page is shown. */
export function useInstallation(): Installation {
  const { data } = useQuery(installationQuery)
  if (!data) throw new Error('The installation is loaded before any page.')
  return data
}
