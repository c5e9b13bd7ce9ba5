import { platform } from './api/platform.ts'
import { createFlag } from './flag.ts'

/** Nobody answers: the service is down, or this machine is offline. */
export const connectionLost = createFlag()

const PAUSE_MS = 2000
/** Who takes longer to say who is signed in does not answer; a browser would wait for five minutes. */
const ANSWER_MS_MAX = 10_000
const PROBE = platform.addressOf('GET /session', {})

let back = () => {}
let askNow = () => {}
let isAsking = false
/** Somebody has found nobody since the last question was sent. */
let isInDoubt = false

/** What to do when somebody answers again. */
export function whenBack(then: () => void): void {
  back = then
  // The browser knows only of its network: a service on this machine answers without one, and another may be down.
  addEventListener('offline', () => void lookForService())
  addEventListener('online', () => askNow())
}

/** After a request that found nobody: asks until somebody answers. */
export async function lookForService(): Promise<void> {
  isInDoubt = true
  if (isAsking) return
  isAsking = true
  while (isInDoubt) {
    // Who finds nobody from now on knows more than the answer to this question says.
    isInDoubt = false
    if (await isAnswered()) continue
    isInDoubt = true
    connectionLost.set(true)
    await new Promise<void>((resolve) => {
      askNow = resolve
      setTimeout(resolve, PAUSE_MS)
    })
  }
  isAsking = false
  if (!connectionLost.get()) return
  connectionLost.set(false)
  back()
}

/** A proxy that stands before a service which is away answers with 502 or 503. */
async function isAnswered(): Promise<boolean> {
  try {
    return (await fetch(PROBE, { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS_MAX) })).status < 500
  } catch {
    return false
  }
}
