import { notifications } from '@mantine/notifications'
import { findImport, sendRows } from '../../../api/imports.ts'
import { isPassing, messageOf } from '../../../api/platform.ts'
import { putAbovePages } from '../../../parts/above-pages.ts'
import { countText } from '../../../parts/count-text.ts'
import { pauseOf } from '../../../parts/pause-of.ts'
import { queryClient } from '../../../query-client.ts'
import { staySignal } from '../../../stay.ts'
import { ImportBar } from './import-bar.tsx'
import { changeImport, isImporting, showImport } from './imports.ts'
import { forgetImport, keepImport, type KeptImport, keptImport } from './kept-import.ts'
import { partAfter } from './parts-of-file.ts'
import { type ReadFile, readKept } from './read-file.ts'

/** Goes on whatever page is shown meanwhile, and after a reload, until whoever began it signs out. */
export async function runImport(job: KeptImport, file: ReadFile): Promise<void> {
  if (isImporting() || (await inTurn({ ifAvailable: true }, () => importAll(job, file)))) return
  notifications.show({
    color: 'red',
    title: `${job.name} was not imported`,
    message: 'Another tab of this browser is importing a file. Wait until that is done, or stop it there.',
    autoClose: false,
  })
}

/** What the same person had begun goes on by itself, after a reload and after the tab that was at it has closed. */
export async function resumeImport(account: string, signal: AbortSignal): Promise<void> {
  const resume = async () => {
    const kept = await keptImport()
    if (kept?.account === account) await importAll(kept)
  }
  // Whoever stops waiting for the other tab has nothing to be told.
  await inTurn({ signal }, resume).catch(() => {})
}

/** One tab at a time; false where it is another's turn. Without TLS browsers may have no locks: then nobody waits. */
async function inTurn(how: LockOptions, run: () => Promise<void>): Promise<boolean> {
  const { locks } = navigator as Partial<Navigator>
  if (!locks) return run().then(() => true)
  return locks.request('petstore import', how, (lock) => lock !== null && run().then(() => true))
}

async function importAll(job: KeptImport, file?: ReadFile): Promise<void> {
  const { name, environment } = job
  const stop = new AbortController()
  const stay = staySignal()
  showImport({ job, rows: 0, done: 0, animals: 0, paused: null, stop: () => stop.abort() })
  putAbovePages('import', <ImportBar />)
  try {
    await keepImport(job)
    const read = file ?? (await readKept(job))
    const animals = await sendAll(job, read, AbortSignal.any([stop.signal, stay]))
    notifications.show({ message: `${countText(animals, 'animal')} of ${name} added to ${environment}.` })
  } catch (error) {
    // Whoever signs in next is not told of another's file.
    if (stay.aborted) return
    const [title, message] = stop.signal.aborted
      ? [`The import of ${name} was stopped`, 'What was added until then stays.']
      : [`${name} was not imported`, messageOf(error)]
    notifications.show({ color: 'red', title, message, autoClose: false })
  } finally {
    showImport(null)
    putAbovePages('import', null)
    await forgetImport()
    await queryClient.invalidateQueries({ queryKey: ['projects', job.slug] })
  }
}

async function sendAll(job: KeptImport, file: ReadFile, signal: AbortSignal): Promise<number> {
  const { animalsBefore = 0 } = job
  let stored = await insistently(() => findImport(job, signal), signal)
  while (stored.finishedAt === null) {
    changeImport({ rows: file.rows.length, done: stored.rows, animals: stored.animals - animalsBefore })
    const part = partAfter(file, job.columns, stored.rows)
    stored = await insistently(() => sendRows(job, part, signal), signal)
  }
  return stored.animals - animalsBefore
}

/** Waits for what passes by itself, and for somebody where it does not. */
async function insistently<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      signal.throwIfAborted()
      if (isPassing(error)) await waitFor(pauseOf(error), signal)
      else await waitForSomebody(error, signal)
    }
  }
}

function waitFor(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}

function waitForSomebody(why: unknown, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const goOn = () => {
      changeImport({ paused: null })
      resolve()
    }
    changeImport({ paused: { why, goOn } })
    signal.addEventListener('abort', () => reject(signal.reason as Error))
  })
}
