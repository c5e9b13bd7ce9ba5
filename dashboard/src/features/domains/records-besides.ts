import type { DomainDetails } from '../../api/domains.ts'

/** What is created beside the record itself: the proof, and for a wildcard what no authority certifies it without. */
export function recordsBesides({ kind, record: { proof, challenge } }: DomainDetails) {
  return [proof, kind === 'wildcard' ? challenge : null].filter((line) => line !== null)
}
