import type { Clock } from '../../../platform/clock.ts'
import { Share } from '../../../platform/share.ts'

/** What one project may make this service ask of others. */
export interface DomainShares {
  /** Add, Verify and Re-verify. */
  verify: Share
  /** Packets to DNS servers, for whatever reason; places are checks. */
  questions: Share
  /** Live checks, troubleshooting, looks at removed domains. */
  live: Share
}

// A check takes 30 to 60 questions as a rule, and 10 KiB of answers: the burst is enough for nearly all of the hundred
// domains that a project may have. One whose nameservers send as much as they can costs ten times as much.
export function openDomainShares(clock: Pick<Clock, 'now'>): DomainShares {
  return {
    verify: new Share({ atOnce: 20, burst: 30, perMinute: 12 }, clock),
    questions: new Share({ atOnce: 4, burst: 6000, perMinute: 1200 }, clock),
    live: new Share({ atOnce: 3, burst: 30, perMinute: 12 }, clock),
  }
}
