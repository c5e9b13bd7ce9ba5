export interface Budget {
  /** What may be used in one go. */
  burst: number
  /** So long until one of it has come back. */
  refillMs: number
}

/** What is left of a budget, as this worker knows it; others may be using the same one. */
export interface Bucket {
  readonly name: string
  readonly budget: Budget
  /** Below 0 when workers have used more together than there was. */
  tokens: number
  at: number
  /** Used here, and not known to the others yet; `telling` of it is on its way to them. */
  untold: number
  telling: number
  /** What was left of it for all together, when that was last asked. */
  level: number
  levelAt: number
  /** How fast the others used it before that. */
  othersPerMs: number
}

/** So often workers tell each other, while there is something to tell. */
export const TELL_EVERY_MS = 250
/** What is told early: an eighth of what was left, or of what comes back between two tellings. */
const TOLD_EARLY = 1 / 8

/** Nobody has used it, as far as is known here. */
export const fullBucket = (name: string, budget: Budget, now: number): Bucket => ({
  name,
  budget,
  tokens: budget.burst,
  at: now,
  untold: 0,
  telling: 0,
  level: budget.burst,
  levelAt: now,
  othersPerMs: 0,
})

/** Gives back what time gives back, but for what the others probably use of it until they have told. */
export function refill(bucket: Bucket, now: number): void {
  const { burst, refillMs } = bucket.budget
  const isGuess = Math.abs(now - bucket.levelAt) > 2 * TELL_EVERY_MS
  const perMs = isGuess ? 1 / refillMs : Math.max(0, 1 / refillMs - bucket.othersPerMs)
  bucket.tokens = Math.min(burst, bucket.tokens + Math.max(0, now - bucket.at) * perMs)
  bucket.at = now
}

/** How long until one can be used; 0 when it can be now. */
export const waitMsOf = ({ tokens, budget }: Bucket) => (tokens >= 1 ? 0 : Math.ceil((1 - tokens) * budget.refillMs))

/** Whether so much has been used here that the others should know at once. */
export function isUrgent({ untold, telling, level, budget: { refillMs } }: Bucket): boolean {
  return untold - telling > TOLD_EARLY * Math.max(level, TELL_EVERY_MS / refillMs)
}

/** What is to be told now. */
export function beginTelling(bucket: Bucket): number {
  const used = bucket.untold - bucket.telling
  bucket.telling += used
  return used
}

/** The others know of it, and this is what is left for all of them together. */
export function told(bucket: Bucket, used: number, level: number, now: number): void {
  const { burst, refillMs } = bucket.budget
  const passedMs = Math.max(0, now - bucket.levelAt)
  const expected = Math.min(burst, bucket.level + passedMs / refillMs) - used
  bucket.othersPerMs = Math.max(0, expected - level) / Math.max(passedMs, TELL_EVERY_MS)
  bucket.telling -= used
  bucket.untold -= used
  bucket.level = level
  bucket.levelAt = now
  bucket.tokens = level - bucket.untold
  bucket.at = now
}

/** Told later, but no more than is still missing here: the rest has come back meanwhile. */
export function notTold(bucket: Bucket, used: number, now: number): void {
  refill(bucket, now)
  bucket.telling -= used
  bucket.untold = Math.min(bucket.untold, Math.max(0, bucket.budget.burst - bucket.tokens) + bucket.telling)
}
