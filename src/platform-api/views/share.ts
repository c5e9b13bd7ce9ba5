/** How much a project has used of one of its shares. */
export interface ShareView {
  share:
    | 'storage'
    | 'animals'
    | 'orders'
    | 'uploads'
    | 'keys'
    | 'webhooks'
    | 'domains'
    | 'changes'
    | 'verify'
    | 'dnsQuestions'
    | 'liveChecks'
  /** Bytes of storage, a number of everything else. */
  used: number
  limit: number
  /** What comes back by itself; null where something has to end or to be removed. */
  perMinute: number | null
}
