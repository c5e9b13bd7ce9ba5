import { readConfig } from '../config.ts'
import { copyEverything, CopyRefused } from '../platform/storage/copy/copy.ts'
import { CommandError, defineCommand, UsageError } from '../../cli/src/line/command.ts'
import { moveMeter } from './line/move-meter.ts'
import { json } from '../../cli/src/line/options.ts'
import { carryMasterKey } from './move/master-key.ts'
import { nameOf, placeOf, placeOfService } from './move/place.ts'
import { readMoment } from './move/source.ts'
import { writeWhole } from './move/target.ts'

export const command = defineCommand({
  about: `Copies everything to another database: from SQLite to PostgreSQL, and back. People, sessions, keys, animals,
orders, sites, domains, certificates, audit log and work that is due go along, and the service goes on there.
It is one moment of the source, which stays as it is; all of it arrives, or nothing. Count and hash of every table
are compared before it counts. Run it again after an interruption, or to replace a copy that nobody has used.

TO and --from are the address of a PostgreSQL database, or a data directory. A password need not stand in the
address: PGPASSWORD and ~/.pgpass are read.`,
  arguments: [{ name: 'TO', help: 'an empty PostgreSQL database (postgres://…), or a new data directory' }],
  options: {
    from: { type: 'string', value: 'PLACE', help: 'where the data is, if not where the settings say' },
    rehearsal: { type: 'boolean', help: 'copy while a service runs; what it stores meanwhile stays behind' },
    json,
  },
  examples: [
    'petstore move postgres://petstore@db.example.com/petstore',
    'petstore move ./data-again --from postgres://petstore@db.example.com/petstore',
  ],
  async run({ values, arguments: [given], terminal, clock }) {
    const config = readConfig()
    const from = values.from === undefined ? placeOfService(config) : placeOf(values.from)
    const to = placeOf(given)
    if (nameOf(from) === nameOf(to)) throw new UsageError(`The data is in ${nameOf(to)} already: say where from.`)

    const meter = moveMeter(terminal, clock)
    let advice = ''
    const tables = await readMoment(from, { rehearsal: values.rehearsal }, (source) =>
      writeWhole(to, (target) => {
        advice = carryMasterKey(config, from, to)
        return copyEverything(source, target, (progress) => meter.show(progress))
      }),
    ).catch((error: unknown) => {
      throw error instanceof CopyRefused ? new CommandError(error.message, { cause: error }) : error
    })
    meter.end()

    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    if (values.json) return terminal.printJson({ from: nameOf(from), to: nameOf(to), rows, tables })
    const setting = to.engine === 'postgres' ? 'DATABASE_URL' : 'PETSTORE_DATA'
    terminal.print(
      `Copied ${rows.toLocaleString('en')} rows of ${tables.length} tables to ${nameOf(to)}; ` +
        'count and hash of each table agree.',
    )
    terminal.print(advice)
    if (values.rehearsal) terminal.print('This was a rehearsal: stop the service and run it again without --rehearsal.')
    else terminal.print(`Start the service with ${setting} set to the new place. The old one stays as it was.`)
  },
})
