import { sentenceFor as plainSentenceFor } from '../../../cli/src/line/failure.ts'
import { PetstoreError } from '../../platform/errors.ts'

/** What went wrong as a sentence that says what to do next: never a stack. */
export function sentenceFor(error: unknown): string {
  if (error instanceof SuppressedError) return sentenceFor(error.suppressed)
  if (error instanceof PetstoreError) {
    if (error.code === 'unavailable' && error.cause) return withoutDatabase(error.cause)
    return error.cause ? `${error.message} (${plainSentenceFor(error.cause)})` : error.message
  }
  const { code, errcode } = error as { code?: string; errcode?: number }
  if (code === 'ERR_SQLITE_ERROR') return sqliteSentence(errcode ?? 0, error as Error)
  return plainSentenceFor(error)
}

/** Clients are told to send their request again, with or without a key: nobody who runs a command has sent one. */
function withoutDatabase(cause: unknown): string {
  if ((cause as { code?: string }).code === 'ERR_SQLITE_ERROR') return sentenceFor(cause)
  const reason = plainSentenceFor(cause).replace(/\.$/, '')
  return `The database did not answer, or not in time (${reason}). Check that it runs, see what was done, try again.`
}

/** Primary result codes of SQLite that an operator can do something about. */
const SQLITE_SENTENCES: Record<number, string> = {
  5: 'The database is in use by another process and did not become free within 5 seconds. Run the command again.',
  8: 'The database may not be written by this user. Run the command as the user who runs the service.',
  11: 'The database is damaged. Look with petstore doctor, and put back a backup with petstore restore FILE --force.',
  13: 'The disk is full. Nothing was changed: make room and run the command again.',
  14: 'The database cannot be opened by this user. Run the command as the user who runs the service.',
  26: 'The file is not a SQLite database. Check PETSTORE_DATA, or put back a backup: petstore restore FILE --force.',
}

function sqliteSentence(errcode: number, error: Error): string {
  return SQLITE_SENTENCES[errcode & 0xff] ?? `The database refused: ${error.message}.`
}
