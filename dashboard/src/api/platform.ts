import {
  createPlatform,
  PetstoreAnswerError,
  PetstoreConnectionError,
  PetstoreError,
} from '../../../client/src/platform/platform.ts'

/** Queries are asked again by the query client, which knows what is shown. */
export const platform = createPlatform({ retries: 0 })

/** Whether the same request may succeed a moment later. */
export const isPassing = (error: unknown) =>
  error instanceof PetstoreConnectionError ||
  ((error instanceof PetstoreError || error instanceof PetstoreAnswerError) &&
    (error.status === 429 || error.status >= 500))

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong. Try again.'
}
