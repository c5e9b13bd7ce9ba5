import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { inspectLink } from '../../api/session.ts'

/** What the link in the address bar promises. Its token stands behind `#` and never reaches a server's log. */
export function useLink() {
  const [token] = useState(() => location.hash.slice(1))
  const link = useQuery({
    queryKey: ['link', token],
    queryFn: () => inspectLink(token),
    staleTime: Infinity,
    enabled: token !== '',
  })
  // What the link promised once stays: whoever has begun to fill in its form is told by sending it.
  return { token, data: link.data, error: link.data ? null : link.error, refetch: link.refetch }
}
