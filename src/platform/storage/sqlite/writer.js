// The writer thread: owns the only connection that writes, so that a commit (an fsync) never stalls reads.
// Plain JavaScript and nothing but node:sqlite, because a thread that strips types takes 17 MB more.
import { DatabaseSync } from 'node:sqlite'
import { parentPort } from 'node:worker_threads'

/** @typedef {import('./channel.ts').Order} Order */
/** @typedef {import('./channel.ts').Reply} Reply */
/** @typedef {import('./channel.ts').ToWriter} ToWriter */
/** @typedef {import('node:worker_threads').MessagePort} Client Whoever writes: one thread, or several workers. */

/** @type {DatabaseSync} */
let database
/** @type {Map<string, { statement: import('node:sqlite').StatementSync, isQuestion: boolean }>} */
const statements = new Map()
/** @type {Client | undefined} Whose transaction is open: the orders of all others wait until it has ended. */
let holder
/** @type {{ client: Client, orders: Order[] }[]} */
let waiting = []

serve(parentPort)

function serve(/** @type {Client} */ client) {
  client.on('message', (/** @type {ToWriter} */ message) => {
    if (message === 'close') {
      database?.close()
      parentPort.close()
    } else if ('client' in message) {
      serve(message.client)
    } else if ('file' in message) {
      database ??= open(message)
      client.postMessage([])
    } else {
      waiting.push({ client, orders: message })
      carryOutWaiting()
    }
  })
  // A worker that dies leaves its transaction open.
  client.on('close', () => {
    waiting = waiting.filter((one) => one.client !== client)
    if (holder !== client) return
    database.exec('rollback')
    holder = undefined
    carryOutWaiting()
  })
}

function open(/** @type {{ file: string, settings: string }} */ { file, settings }) {
  const opened = new DatabaseSync(file, { timeout: 5000 })
  opened.exec(settings)
  return opened
}

/** One transaction after the other, in the order in which they were begun. */
function carryOutWaiting() {
  while (true) {
    const at = waiting.findIndex(({ client }) => holder === undefined || holder === client)
    if (at === -1) return
    const [{ client, orders }] = waiting.splice(at, 1)
    client.postMessage(carryOutAll(orders))
    holder = database.isTransaction ? client : undefined
  }
}

/** Up to the first that fails: a commit may travel behind the statements that it is for. */
function carryOutAll(/** @type {Order[]} */ orders) {
  let hasFailed = false
  return orders.map((order) => {
    const reply = hasFailed ? refused(order, new Error('A statement before this one has failed.')) : carryOut(order)
    hasFailed = !reply.ok
    return reply
  })
}

/** @returns {Reply} */
function carryOut(/** @type {Order} */ { id, before, sql, parameters, contents }) {
  try {
    for (const control of before) database.exec(control)
    if (sql === undefined) return { id, ok: true, rows: [], changes: 0 }
    // Statements that travelled with one that ended the transaction would otherwise be committed one by one.
    if (!database.isTransaction) throw new Error('The transaction has ended before this statement.')
    const { statement, isQuestion } = prepared(sql)
    if (isQuestion) return { id, ok: true, rows: statement.all(...parameters).map(exactRow), changes: 0 }
    return { id, ok: true, rows: [], changes: Number(statement.run(...parameters).changes) }
  } catch (error) {
    return refused({ id }, error)
  } finally {
    contents?.forEach(({ buffer }) => buffer.transfer(0))
  }
}

/** @returns {Reply} */
function refused(/** @type {Pick<Order, 'id'>} */ { id }, /** @type {Error & { errcode?: number }} */ error) {
  return { id, ok: false, message: error.message, errcode: error.errcode, inTransaction: database.isTransaction }
}

function prepared(/** @type {string} */ sql) {
  let known = statements.get(sql)
  if (!known) {
    if (statements.size >= 500) statements.clear()
    const statement = database.prepare(sql)
    statement.setReadBigInts(true)
    known = { statement, isQuestion: statement.columns().length > 0 }
    statements.set(sql, known)
  }
  return known
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
