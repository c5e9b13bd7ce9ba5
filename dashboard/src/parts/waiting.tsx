import { Stack, VisuallyHidden } from '@mantine/core'
import { WaitingBar } from './waiting-bar.tsx'

/** The outline of a card's content. */
export function WaitingLines({ lines = 3 }: { lines?: number }) {
  return (
    <Stack gap="sm" role="status" className="waiting">
      <VisuallyHidden>Loading…</VisuallyHidden>
      {Array.from({ length: lines }, (_, line) => (
        <WaitingBar key={line} height={14} width={`${88 - ((line * 23) % 50)}%`} />
      ))}
    </Stack>
  )
}

/** While the code of a page is on its way. */
export function WaitingPage() {
  return (
    <Stack gap="lg" role="status" className="waiting">
      <VisuallyHidden>Loading…</VisuallyHidden>
      <WaitingBar height={28} width="14rem" />
      <WaitingBar height={14} width="26rem" />
      <WaitingBar height={180} isCard />
      <WaitingBar height={120} isCard />
    </Stack>
  )
}
