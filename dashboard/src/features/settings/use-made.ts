import { useQuery } from '@tanstack/react-query'
import { keysQuery } from '../../api/keys.ts'
import type { Member } from '../../api/members.ts'
import { tokensQuery } from '../../api/tokens.ts'
import { useProject } from '../projects/project-context.ts'

export interface Made {
  /** Those that work now; undefined while they are not known, which is not the same as none. */
  items: readonly { name: string }[] | undefined
  error: unknown
  retry(): void
}

/** What somebody has made that ends with their rights, unless another takes it over. */
export function useMade({ id }: Member): Made {
  const { slug } = useProject()
  const [keys, tokens] = [useQuery(keysQuery(slug)), useQuery(tokensQuery(slug))]
  const lists = [keys, tokens]
  const isKnown = lists.every(({ data }) => data !== undefined)
  const all = [...(keys.data ?? []), ...(tokens.data ?? [])]
  return {
    items: isKnown ? all.filter(({ madeBy, state }) => madeBy?.id === id && state === 'active') : undefined,
    error: lists.find(({ data, error }) => data === undefined && error)?.error ?? null,
    retry: () => lists.forEach(({ refetch }) => void refetch()),
  }
}
