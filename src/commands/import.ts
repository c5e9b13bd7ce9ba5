import { extname } from 'node:path'
import { readConfig } from '../config.ts'
import { storageOf } from '../features/audit/audited.ts'
import { COMMAND } from '../features/audit/record.ts'
import { createPetContract } from '../features/pets/contract.ts'
import { CSV_HEADER } from '../features/pets/import/csv.ts'
import { type ImportOutcome, importPets } from '../features/pets/import/import.ts'
import type { ImportFormat } from '../features/pets/import/rows.ts'
import { openImportSource } from '../features/pets/import/source.ts'
import { findProject } from '../features/projects/projects.ts'
import { defineCommand, UsageError } from '../../cli/src/line/command.ts'
import { importMeter } from './line/import-meter.ts'
import { environment, json, project } from '../../cli/src/line/options.ts'
import { openPlainStorage } from './storage.ts'

const FORMATS = ['csv', 'ndjson'] as const
const FORMAT_OF_ENDING: Record<string, ImportFormat> = { '.csv': 'csv', '.ndjson': 'ndjson', '.jsonl': 'ndjson' }

export const command = defineCommand({
  about: `Adds the animals of a file, in its order, 10,000 to a transaction, also while the service runs.
An import that was interrupted, or stopped at a bad row that has been mended, goes on where it stopped when the
same command is run again. A file that is stored already is not added twice.

NDJSON has one animal a line: ${JSON.stringify(createPetContract.body?.example)}
CSV names its columns in the first line: ${CSV_HEADER}`,
  arguments: [{ name: 'FILE', help: 'the file, or - for standard input' }],
  options: {
    project: { ...project, required: true },
    environment: { ...environment, required: true },
    format: { type: 'string', choices: FORMATS, help: 'the format, where the name of the file does not tell' },
    again: { type: 'boolean', help: 'add the whole file as new animals even though it is stored already' },
    json,
  },
  examples: [
    'petstore import animals.csv --project petstore --environment staging',
    'zcat animals.ndjson.gz | petstore import - --format ndjson --project petstore --environment production',
  ],
  async run({ values, arguments: [file], terminal, clock }) {
    const format = values.format ?? FORMAT_OF_ENDING[extname(file).toLowerCase()]
    if (!format) {
      throw new UsageError(`The format of ${file} is not clear from its name: give --format csv or --format ndjson.`)
    }
    const config = readConfig()
    await using storage = storageOf(await openPlainStorage(config), COMMAND, clock)
    const { id: projectId } = await findProject({ storage }, values.project)
    await using source = await openImportSource(file, process.stdin, config.dataDirectory)

    const stop = new AbortController()
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
    const meter = importMeter(terminal, clock, source)
    const job = { tenant: { projectId, environment: values.environment }, source, format, again: values.again }
    const outcome = await importPets({ storage, clock }, job, (progress) => meter.show(progress), stop.signal)
    meter.end()

    const { project: slug, environment: place } = values
    if (values.json) terminal.printJson({ file, project: slug, environment: place, ...outcome })
    else terminal.print(summary(file, `${slug}, ${place}`, outcome))
    return outcome.stopped ? 1 : 0
  },
})

function summary(file: string, place: string, { added, addedBefore, firstId, lastId, stopped }: ImportOutcome): string {
  if (stopped) return `Stopped: ${number(addedBefore + added)} animals are stored. Run the same command again to go on.`
  if (added === 0 && addedBefore > 0) {
    return `${file} is stored already (${number(addedBefore)} animals). Add it once more with --again.`
  }
  const before = addedBefore > 0 ? `, after ${number(addedBefore)} in earlier runs` : ''
  const ids = firstId === undefined ? '' : ` Their ids are ${firstId} to ${lastId}.`
  return `Added ${number(added)} animals to ${place}${before}.${ids}`
}

const number = (count: number) => count.toLocaleString('en')
