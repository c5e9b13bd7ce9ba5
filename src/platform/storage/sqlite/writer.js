// The writer thread: owns the only connection that writes, so that a commit (an fsync) never stalls reads.
// Plain JavaScript and nothing but node:sqlite, because a thread that strips types takes 17 MB more.
import { DatabaseSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'

/** @typedef {import('./channel.ts').Order} Order */
/** @typedef {import('./channel.ts').Reply} Reply */

const database = new DatabaseSync(workerData.file, { timeout: 5000 })
database.exec(workerData.settings)
/** @type {Map<string, import('node:sqlite').StatementSync>} */
const statements = new Map()

parentPort.on('message', (/** @type {Order[] | 'close'} */ orders) => {
  if (orders === 'close') {
    database.close()
    parentPort.close()
    return
  }
  parentPort.postMessage(orders.map(carryOut))
})
parentPort.postMessage([])

/** @returns {Reply} */
function carryOut(/** @type {Order} */ { id, before, sql, parameters }) {
  try {
    for (const control of before) database.exec(control)
    if (sql === undefined) return { id, ok: true, rows: [], changes: 0 }
    // Statements that travelled with one that ended the transaction would otherwise be committed one by one.
    if (!database.isTransaction) throw new Error('The transaction has ended before this statement.')
    const statement = prepared(sql)
    if (statement.columns().length > 0) {
      return { id, ok: true, rows: statement.all(...parameters).map(exactRow), changes: 0 }
    }
    return { id, ok: true, rows: [], changes: Number(statement.run(...parameters).changes) }
  } catch (error) {
    return { id, ok: false, message: error.message, errcode: error.errcode, inTransaction: database.isTransaction }
  }
}

function prepared(/** @type {string} */ sql) {
  let statement = statements.get(sql)
  if (!statement) {
    if (statements.size >= 500) statements.clear()
    statement = database.prepare(sql)
    statement.setReadBigInts(true)
    statements.set(sql, statement)
  }
  return statement
}

/** Integers keep every digit: a number where a number holds it, a bigint beyond. */
function exactRow(/** @type {Record<string, unknown>} */ row) {
  const exact = {}
  for (const column in row) {
    const value = row[column]
    exact[column] = typeof value === 'bigint' && Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
  return exact
}
