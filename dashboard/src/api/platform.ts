import {
  createPlatform,
  type EndedRequest,
  PetstoreAnswerError,
  PetstoreConnectionError,
  PetstoreError,
  type SentRequest,
} from '../../../client/src/platform/platform.ts'
import { mayComeTwice } from './repetition.ts'

let accountShown = (): string | undefined => undefined

/** For the query client, which knows who is shown to be signed in. */
export function askForAccount(ask: () => string | undefined): void {
  accountShown = ask
}

const inDoubt = new WeakSet<Error>()

/**
 * Of every client here. Each request names whom it is meant for: the browser's session may be another's by now, which
 * the service then refuses.
 */
export const optionsFor = (account: () => string | undefined) => ({
  // Queries are asked again by the query client, which knows what is shown.
  retries: 0,
  onRequest({ headers }: SentRequest): void {
    const id = account()
    if (id !== undefined) headers.set('Petstore-Account', id)
  },
  onAnswer({ operation, error }: EndedRequest): void {
    if (!error || mayComeTwice(operation)) return
    if (mayBeDone(error)) inDoubt.add(error)
  },
})

export const platform = createPlatform(optionsFor(() => accountShown()))

/** What has failed has perhaps been done: nobody has said that it was refused. */
export function mayBeDone(error: Error): boolean {
  if (error instanceof PetstoreError) return error.isUnconfirmed
  // A proxy that gave up may have passed it on before.
  return error instanceof PetstoreAnswerError ? error.status >= 500 : error instanceof PetstoreConnectionError
}

/** No answer tells the outcome: it may be done, and would be done twice. A browser does not tell what was sent. */
export const isInDoubt = (error: unknown) => error instanceof Error && inDoubt.has(error)

/** For work in the background, which is of whoever has begun it, whatever is shown meanwhile. */
export const platformOf = (account: string) => createPlatform(optionsFor(() => account))

/** Whether the same request may succeed a moment later. */
export const isPassing = (error: unknown) =>
  error instanceof PetstoreConnectionError ||
  ((error instanceof PetstoreError || error instanceof PetstoreAnswerError) &&
    (error.status === 429 || error.status >= 500))

export function messageOf(error: unknown): string {
  // The service has a sentence of its own for it.
  const isLost = isInDoubt(error) && !(error instanceof PetstoreError)
  if (isLost) return 'No answer came, and it may be done all the same: look before you send it again.'
  return error instanceof Error ? error.message : 'Something went wrong. Try again.'
}
