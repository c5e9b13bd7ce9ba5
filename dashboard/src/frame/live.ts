import { useEffect } from 'react'
import { platform } from '../api/platform.ts'
import { queryClient } from '../query-client.ts'

/** What pages show of what a change is about; other changes concern only the audit log and the overview. */
const SHOWN_IN: Record<string, readonly string[]> = {
  pet: ['pets', 'overview'],
  order: ['orders', 'pets', 'overview'],
  certificate: ['domains', 'notifications'],
  domain: ['domains', 'notifications', 'overview', 'shares'],
  deploy: ['deploys', 'shares'],
  key: ['keys', 'overview', 'shares'],
  token: ['tokens'],
  webhook: ['webhooks', 'shares'],
  member: ['members', 'invitations', 'overview'],
  invitation: ['invitations'],
  notification: ['notifications'],
}

const OPEN_AGAIN_MS = 10_000
/** Pages that were loaded longer before may lack something. */
const MISSED_AFTER_MS = 1000

/** The pages of a project ask again for what others, other tabs or programs have changed. */
export function useLive(slug: string): void {
  useEffect(() => follow(slug, (nouns) => refresh(slug, nouns)), [slug])
}

function refresh(slug: string, nouns: readonly string[]): void {
  // The project itself stands in the list of all: its name, its plan, and whether one is a member.
  if (nouns.some((noun) => !SHOWN_IN[noun])) void queryClient.invalidateQueries({ queryKey: ['projects'] })
  const shown = new Set(['audit', ...nouns.flatMap((noun) => SHOWN_IN[noun] ?? [])])
  void queryClient.invalidateQueries({
    predicate: ({ queryKey: [all, project, ...rest] }) =>
      all === 'projects' && project === slug && rest.some((part) => shown.has(String(part))),
  })
}

/** One connection for all tabs of a browser: the one whose turn it is passes on what it hears. */
function follow(slug: string, hear: (nouns: string[]) => void): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const channel = new BroadcastChannel(`petstore changes of ${slug}`)
  channel.addEventListener('message', ({ data }) => hear(data as string[]))
  const say = (nouns: string[]) => {
    hear(nouns)
    channel.postMessage(nouns)
  }
  void takeTurn(`petstore changes of ${slug}`, signal, (isLate) => listen(slug, say, { signal, isLate }))
  return () => {
    ending.abort()
    channel.close()
  }
}

/** Without TLS, anywhere but on one's own machine, browsers have no locks: then each tab listens for itself. */
async function takeTurn(name: string, signal: AbortSignal, lead: (isLate: boolean) => Promise<void>): Promise<void> {
  const { locks } = navigator as Partial<Navigator>
  if (!locks) return lead(false)
  let isTaken = false
  await locks.request(name, { ifAvailable: true }, (lock) => {
    isTaken = lock === null
    return isTaken ? undefined : lead(false)
  })
  if (isTaken && !signal.aborted) await locks.request(name, { signal }, () => lead(true)).catch(() => {})
}

/** Until it is told to end. A browser opens a stream that breaks off by itself, but not one that was refused. */
async function listen(
  slug: string,
  say: (nouns: string[]) => void,
  { signal, isLate }: { signal: AbortSignal; isLate: boolean },
): Promise<void> {
  let hasMissed = isLate
  const askedAt = performance.now()
  while (!signal.aborted) {
    const source = new EventSource(platform.addressOf('GET /projects/{project}/events', { project: slug }))
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    source.addEventListener('open', () => {
      if (hasMissed || performance.now() - askedAt > MISSED_AFTER_MS) say(['anything'])
      hasMissed = true
    })
    source.addEventListener('change', ({ data }: MessageEvent<string>) => say(data.split(' ')))
    source.addEventListener('error', () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(end, OPEN_AGAIN_MS)
    })
    signal.addEventListener('abort', () => end(), { once: true })
    await ended
    source.close()
  }
}
