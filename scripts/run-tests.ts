import { globSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import {
  makeCluster,
  SHARED_CLUSTER,
  SHARED_PORT,
  SHARED_SETTINGS,
  SHARED_STRATEGY,
  startPostgres,
} from '../test/harness/postgres.ts'
import { makeRunDirectory } from '../test/harness/run-directory.ts'
import { makeSchema, SHARED_SCHEMA } from '../test/harness/schema.ts'
import { TOGETHER } from '../test/harness/together.ts'

const root = join(import.meta.dirname, '..')

/** Begun before the others, the longest first, so that at the end nobody waits for one of them alone. */
const LONG = [
  'test/openapi/{contract,tools}.test.ts',
  'test/{campaign/short,webhooks/campaign}.test.ts',
  'test/domains/move/move.test.ts',
  'test/{deploys/kill,docs/snippets,edge/testssl}.test.ts',
  'test/faults/*.test.ts',
  // Hardly more than waits, best while others work.
  'test/harness/file-deadline.test.ts',
]

/** With names of files: these only. */
const named = process.argv.slice(2)
const together = Object.keys(TOGETHER).map((name) => `test/together/${name}.ts`)
const filesOf = (pattern: string, ...exclude: string[]) =>
  globSync(pattern, { cwd: root, exclude: [...Object.values(TOGETHER), ...exclude] }).sort()
const long = LONG.flatMap((pattern) => filesOf(pattern))
const others = filesOf('{src,test,client,reference}/**/*.test.ts', ...LONG)

// They go with this process, however it ends; the tests end with it too.
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
const directory = makeRunDirectory()
process.once('exit', () => directory[Symbol.dispose]())
process.env.TMPDIR = directory.path
// To copy files costs a quarter of copying pages by the log there, and twice as much on a disk.
process.env[SHARED_STRATEGY] = directory.isMemory ? 'file_copy' : 'wal_log'
const [cluster, schema] = await Promise.all([makeCluster(), makeSchema()])
process.env[SHARED_CLUSTER] = cluster.data
const postgres = await startPostgres({ settings: SHARED_SETTINGS })
process.env[SHARED_PORT] = String(postgres.port)
process.env[SHARED_SCHEMA] = schema.file

const tests = run({
  files: (named.length > 0 ? named : [...together, ...long, ...others]).map((path) => join(root, path)),
  // Half of the time a test waits: for a disk, another process, a timeout. With one more than that two cores are idle
  // for 2 % of a run instead of 8 %.
  concurrency: 2 * availableParallelism() + 1,
  timeout: 240_000,
  signal: stop.signal,
  execArgv: [
    // What tests make is forgotten soon: with more room for it there is less to copy while it is looked through.
    '--min-semi-space-size=16',
    '--max-semi-space-size=32',
    // A file that does not end fails, and says what it was at.
    `--import=${join(root, 'test/harness/watch-file.js')}`,
  ],
})
tests.on('test:summary', ({ file, success }) => {
  if (file === undefined && !success) process.exitCode = 1
})
tests.compose(new spec()).pipe(process.stdout)
tests.on('end', () => {
  // At once: nobody reads again what it would write out first. Its files go with this process.
  void postgres.kill()
})
