import { Button, Center, Stack } from '@mantine/core'
import { Refusal } from './trouble.tsx'

interface ShowMoreProps {
  /** What there is more of: `older entries`. */
  what: string
  list: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    isFetchNextPageError: boolean
    error: unknown
    fetchNextPage(): unknown
  }
}

/** Below a list that grows; nothing where all of it is shown. */
export function ShowMore({ what, list }: ShowMoreProps) {
  if (!list.hasNextPage) return null
  return (
    <Center p="sm">
      <Stack gap="sm" align="center">
        <Refusal error={list.isFetchNextPageError && list.error} />
        <Button variant="subtle" loading={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          Show {what}
        </Button>
      </Stack>
    </Center>
  )
}
