import type { ReactElement, ReactNode } from 'react'
import { Trouble } from './trouble.tsx'

interface QueryGuardProps<Data, Waiting> {
  /** `data` is undefined until it is there. */
  query: { data: Data; error: unknown; refetch(): unknown }
  /** The outline of what is to come. Without it the children draw their own, as tables do. */
  waiting?: Waiting
  children(data: Waiting extends ReactElement ? Exclude<Data, undefined> : Data): ReactNode
}

/** What has been loaded, its outline before, or why it could not be loaded. What was loaded once stays. */
export function QueryGuard<Data, Waiting extends ReactElement | undefined = undefined>({
  query: { data, error, refetch },
  waiting,
  children,
}: QueryGuardProps<Data, Waiting>) {
  if (error && data === undefined) return <Trouble error={error} retry={() => void refetch()} />
  if (waiting && data === undefined) return waiting
  return children(data as Parameters<typeof children>[0])
}
