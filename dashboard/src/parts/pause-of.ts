import { PetstoreError } from '../../../client/src/platform/platform.ts'

const PAUSE_MS = 2000

/** How long to wait after what passes by itself: as long as the service says, where it does. */
export const pauseOf = (error: unknown): number =>
  error instanceof PetstoreError && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1000 : PAUSE_MS
