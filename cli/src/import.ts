import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { stringifyExact } from '../../client/src/int64.ts'
import type { NewPet, SentImport } from '../../client/src/platform/platform.ts'
import { type ImportFormat, type ReadFile, readRows } from './import/rows.ts'
import { animalSchemaOf } from './import/schema.ts'
import { bar } from './line/bar.ts'
import { CommandError, defineCommand, UsageError } from './line/command.ts'
import { environment, json, project } from './line/options.ts'
import { patiently } from './remote/patiently.ts'
import { openServer, serverOptions } from './remote/server.ts'

const FORMATS = ['csv', 'ndjson'] as const
const FORMAT_OF_ENDING: Record<string, ImportFormat> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' }
/** What one request takes: a thousand animals, and 64 KiB with what stands around them. */
const ANIMALS_MAX = 1000
const BYTES_MAX = 60_000
const SHOWN_MAX = 10
const IMPORT = '/projects/{project}/environments/{environment}/imports/{sha256}'

export const command = defineCommand({
  about: `Adds the animals of a file, in its order. Every row is judged first, by the rules of the server; where one is
wrong, nothing is sent. An import that was interrupted goes on where it stopped when the same command is run again, and
a file that is stored already is not added twice.

NDJSON has one animal a line: {"name":"Rex","categoryId":1}
CSV names its columns in the first line: name,categoryId,status`,
  arguments: [{ name: 'FILE', help: 'the file, or - for standard input' }],
  options: {
    project: { ...project, required: true },
    environment: { ...environment, required: true },
    format: { type: 'string', choices: FORMATS, help: 'the format, where the name of the file does not tell' },
    again: { type: 'boolean', help: 'add the whole file as new animals even though it is stored already' },
    ...serverOptions,
    json,
  },
  examples: [
    'petstore import animals.csv --project kennel --environment staging',
    'zcat animals.ndjson.gz | petstore import - --format ndjson --project kennel --environment production',
  ],
  async run({ values, arguments: [file], terminal, clock }) {
    const format = values.format ?? FORMAT_OF_ENDING[extname(file).toLowerCase()]
    if (!format) {
      throw new UsageError(`The format of ${file} is not clear from its name: give --format csv or --format ndjson.`)
    }
    const { origin, call } = openServer(values)
    const of = { project: values.project, environment: values.environment }
    // Asks for what the import needs before a long file is read: a token, the scope, the project.
    await call(`GET ${IMPORT}`, { ...of, sha256: '0'.repeat(64) })

    const bytes = file === '-' ? await buffer(process.stdin) : await readFile(file)
    const { columns, rows, hasBlankRows } = readRows(format, textOf(bytes), await animalSchemaOf(origin))
    const animals = acceptedOf(rows)
    let sha256 = fingerprintOf(bytes, format, columns)
    let stored = await call(`GET ${IMPORT}`, { ...of, sha256 })
    // Blank rows counted in the dashboard until 2026-11-18: what it began by this name stands elsewhere in the file.
    let isPassedOver = hasBlankRows && stored.finishedAt === null
    while (isPassedOver || (values.again && stored.finishedAt !== null)) {
      isPassedOver = false
      sha256 = fingerprintOf(Buffer.from(sha256), 'csv', {})
      stored = await call(`GET ${IMPORT}`, { ...of, sha256 })
    }
    const before = stored
    while (stored.finishedAt === null) {
      terminal.status(`${bar(stored.rows / animals.length)} ${stored.rows} of ${animals.length} animals`)
      const part = { ...of, sha256, body: partAfter(animals, stored.rows) }
      // The changes of a project have a share, which a long file uses up.
      stored = await patiently(clock, () => call(`POST ${IMPORT}`, part))
    }
    terminal.status('')
    const added = stored.animals - before.animals
    if (values.json) return terminal.printJson({ file, ...of, added, addedBefore: before.animals })
    terminal.print(summary(file, `${of.project}, ${of.environment}`, added, before))
  },
})

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError('The file is not UTF-8. Save it as UTF-8 and run the command again.')
  }
}

function acceptedOf(rows: ReadFile['rows']): NewPet[] {
  const refused = rows.flatMap((row) => ('why' in row ? `  line ${row.line}: ${row.why}` : []))
  if (refused.length > 0) {
    const more = refused.length > SHOWN_MAX ? `\n  and ${refused.length - SHOWN_MAX} more` : ''
    const shown = refused.slice(0, SHOWN_MAX).join('\n')
    throw new CommandError(`Nothing was imported: mend these rows, and run the command again.\n\n${shown}${more}`)
  }
  if (rows.length === 0) throw new CommandError('The file has no animals.')
  return rows.map((row) => ('animal' in row ? row.animal : {}) as unknown as NewPet)
}

/** One name for a file and how its columns are read, the same as in the dashboard. */
function fingerprintOf(bytes: Uint8Array, format: ImportFormat, columns: ReadFile['columns']): string {
  const read = JSON.stringify([format, Object.entries(columns).sort()])
  return createHash('sha256').update(`${read}\n`).update(bytes).digest('hex')
}

/** The next rows behind a place in the file, as many as a request takes. */
function partAfter(all: readonly NewPet[], after: number) {
  let [through, bytes] = [after, 0]
  for (; through < all.length && through - after < ANIMALS_MAX; through++) {
    bytes += Buffer.byteLength(stringifyExact(all[through] as NewPet)) + 1
    if (bytes > BYTES_MAX) break
  }
  return { after, through, animals: all.slice(after, through), last: through === all.length }
}

function summary(file: string, place: string, added: number, before: SentImport): string {
  if (before.finishedAt !== null) {
    return `${file} is stored already (${before.animals} animals). Add it once more with --again.`
  }
  const earlier = before.animals > 0 ? `, after ${before.animals} in earlier runs` : ''
  return `Added ${added === 1 ? '1 animal' : `${added} animals`} to ${place}${earlier}.`
}
