import { Alert } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { IconAlertTriangle, IconCircleCheck } from '../../icons/icons.ts'
import { type DomainDetails, domainsKey, finishConnect } from '../../api/domains.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

/** Somebody comes from their DNS provider, whose answer stands in the address. */
export default function BackFromProvider({ domain: { hostname } }: { domain: DomainDetails }) {
  const { slug } = useProject()
  const [path, go] = useLocation()
  const search = new URLSearchParams(useSearch())
  const [answer] = useState(() => ({
    state: search.get('state') ?? '',
    error: search.get('error'),
    description: search.get('error_description'),
  }))
  const finish = useMutation({
    mutationFn: () =>
      finishConnect(slug, hostname, {
        state: answer.state,
        ...(answer.error ? { error: answer.error } : {}),
        ...(answer.description ? { description: answer.description } : {}),
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: domainsKey(slug) }),
  })
  const isBack = answer.state !== ''
  const { mutate } = finish
  useEffect(() => {
    if (!isBack) return
    // A reload is no second answer.
    go(path, { replace: true })
    mutate()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each return
  }, [isBack])
  if (finish.error) return <Refusal error={finish.error} />
  if (!finish.data) return null
  const isApplied = finish.data.outcome === 'applied'
  return (
    <Alert
      className={isApplied ? 'notice' : 'trouble'}
      icon={isApplied ? <IconCircleCheck size={20} /> : <IconAlertTriangle size={20} />}
      role="status"
    >
      {finish.data.message}
    </Alert>
  )
}
