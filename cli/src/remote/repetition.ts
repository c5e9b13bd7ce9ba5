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

/** How fetch tells that an address is out of the question, or that whoever is there is not who was meant. */
const UNSENT = /CERT|SIGNATURE|ISSUER|^ERR_SSL_WRONG_VERSION_NUMBER$|^UND_ERR_CONNECT_TIMEOUT$|^bad port$/

/** Nobody said that nothing was done: it may be done, and must not be done twice. */
export function isInDoubt(operation: string, error: unknown): boolean {
  if (!operation.startsWith('POST ') || SAME_TWICE.has(operation)) return false
  if (error instanceof PetstoreError) return error.isUnconfirmed
  if (error instanceof PetstoreConnectionError) return !isUnsent(error)
  // A proxy, which may have asked the server before it gave up.
  return error instanceof PetstoreAnswerError && error.status >= 500
}

/** No connection was made, so that nothing can have been done. */
function isUnsent({ reason, cause: failure }: PetstoreConnectionError): boolean {
  const { cause } = failure as { cause?: { code?: string; syscall?: string; message?: string } }
  if (reason !== 'network' || cause === undefined) return false
  // Several errors are of a name with several addresses, none of which let us in.
  if (cause instanceof AggregateError || cause.syscall === 'connect' || cause.syscall === 'getaddrinfo') return true
  return UNSENT.test(cause.code ?? cause.message ?? '')
}
