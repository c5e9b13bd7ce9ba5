import {
  PetstoreAnswerError,
  PetstoreConnectionError,
  PetstoreError,
  type Routes,
} from '../../../client/src/platform/platform.ts'

/**
 * The `POST`s that may come twice. The management interface has no idempotency keys: of what is not named here a second
 * one would add once more, such as a key whose secret nobody has seen, or be refused for what the first has done.
 */
const SAME_TWICE: ReadonlySet<string> = new Set<keyof Routes>([
  // A part of a file counts only where the import stands just before it.
  'POST /projects/{project}/environments/{environment}/imports/{sha256}',
  // Files that are shown already change nothing; a preview stands in the history twice at the worst.
  'POST /projects/{project}/deploys',
  // What is shown already stays so.
  'POST /projects/{project}/deploys/{deploy}/activate',
  // One check more.
  'POST /projects/{project}/domains/{hostname}/verify',
  // A listener that nobody asks is gone after two minutes.
  'POST /projects/{project}/listeners',
  // The message is told either way; the log has a line more.
  'POST /projects/{project}/listeners/{listener}/messages/{message}',
])

const ANSWERED_WITH_NOTHING: ReadonlySet<string> = new Set<VoidOf<Routes>>([
  'DELETE /projects/{project}/environments/{environment}/pets/{petId}',
  'DELETE /projects/{project}/members/{account}',
  'DELETE /projects/{project}/webhooks/{webhook}',
  'DELETE /sandbox/zones/{apex}',
  'DELETE /sandbox/zones/{apex}/records/{record}',
  'DELETE /sandbox/zones/{apex}/faults/{fault}',
])

type VoidOf<All> = { [Name in keyof All]: All[Name] extends { answer: void } ? Name : never }[keyof All]

/** How fetch tells that an address is out of the question, or that whoever is there is not who was meant. */
const UNSENT = /CERT|SIGNATURE|ISSUER|^ERR_SSL_WRONG_VERSION_NUMBER$|^UND_ERR_CONNECT_TIMEOUT$|^bad port$/

/** Nobody said that nothing was done: it may be done, and must not be done twice. */
export const isInDoubt = (operation: string, error: unknown) =>
  operation.startsWith('POST ') && !SAME_TWICE.has(operation) && mayBeDone(error)

export function mayBeDone(error: unknown): boolean {
  if (error instanceof PetstoreError) return error.isUnconfirmed
  if (error instanceof PetstoreConnectionError) return !isUnsent(error)
  // A proxy, which may have asked the server before it gave up.
  return error instanceof PetstoreAnswerError && error.status >= 500
}

/** Whether what a try before may have removed is not there any more: it has, and the answer has nothing to tell. */
export const isRemoved = (operation: string, error: unknown) =>
  ANSWERED_WITH_NOTHING.has(operation) && error instanceof PetstoreError && error.status === 404

/** No connection was made, so that nothing can have been done. */
function isUnsent({ reason, cause: failure }: PetstoreConnectionError): boolean {
  const { cause } = failure as { cause?: { code?: string; syscall?: string; message?: string } }
  if (reason !== 'network' || cause === undefined) return false
  // Several errors are of a name with several addresses, none of which let us in.
  if (cause instanceof AggregateError || cause.syscall === 'connect' || cause.syscall === 'getaddrinfo') return true
  return UNSENT.test(cause.code ?? cause.message ?? '')
}
