import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'

/** The outline of a card's content. */
export function WaitingLines({ lines = 3 }: { lines?: number }) {
  return (
    <Stack gap="sm" role="status">
      <VisuallyHidden>Loading…</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={14} width={`${88 - ((line * 23) % 50)}%`} />
      ))}
    </Stack>
  )
}

/** While the code of a page is on its way. */
export function WaitingPage() {
  return (
    <Stack gap="lg" role="status">
      <VisuallyHidden>Loading…</VisuallyHidden>
      <Skeleton height={28} width="14rem" />
      <Skeleton height={14} width="26rem" maw="90%" />
      <Skeleton height={180} radius="lg" />
      <Skeleton height={120} radius="lg" />
    </Stack>
  )
}
