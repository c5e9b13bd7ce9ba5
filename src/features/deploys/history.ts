/** How far back a project can be rolled, previews included. */
export const DEPLOYS_KEPT = 20

/** Previews push out none of the last so many that visitors have seen, nor do those push out as many previews. */
const SAFE_OF_EACH_KIND = DEPLOYS_KEPT / 2

export interface KeptDeploy {
  id: string
  seq: number
  /** Null for what visitors do not see now. */
  activated_at: number | null
  /** Null for what they have never seen. */
  shown_at: number | null
}

/** The ids of those that make room for one more; never what visitors see, or saw just before. */
export function forgottenFor(isShown: boolean, kept: readonly KeptDeploy[]): string[] {
  const latestFirst = kept.toSorted((one, other) => lastSeen(other) - lastSeen(one) || other.seq - one.seq)
  const seen = latestFirst.filter((deploy) => lastSeen(deploy) > 0)
  const previews = latestFirst.slice(seen.length)
  const forgotten: string[] = []
  for (let left = kept.length; left >= DEPLOYS_KEPT; left--) {
    const isOfPreviews = previews.length + (isShown ? 0 : 1) > SAFE_OF_EACH_KIND
    forgotten.push((isOfPreviews ? previews : seen).pop()!.id)
  }
  return forgotten
}

const lastSeen = ({ activated_at, shown_at }: KeptDeploy) => (activated_at === null ? (shown_at ?? 0) : Infinity)
