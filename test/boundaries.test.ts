import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const LINES_MAX = 300
const CHARACTERS_MAX = 120
const FILES_MAX = 20

/** What each room may import beside itself. `types` stands for types, and for rules that a browser can run too. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  platform: [],
  edge: ['platform'],
  'features/*': ['platform'],
  'features/orders': ['platform', 'features/pets'],
  'features/deploys': ['platform', 'features/projects'],
  'features/domains': ['platform', 'features/projects'],
  'features/webhooks': ['platform', 'features/projects'],
  'features/certificates': ['platform', 'features/domains'],
  'platform-api': ['platform', 'features/*', 'src/config.ts', 'package.json'],
  pages: ['platform', 'edge', 'features/*', 'src/config.ts'],
  service: [
    'platform',
    'edge',
    'features/*',
    'platform-api',
    'pages',
    'settings',
    'src/config.ts',
    'src/migrations.ts',
    'package.json',
  ],
  settings: ['platform'],
  // The files directly in src put everything together; main.ts is the way in.
  'src/*': [
    'platform',
    'edge',
    'features/*',
    'platform-api',
    'pages',
    'service',
    'settings',
    'commands',
    'src/*',
    'client',
    'cli',
    'package.json',
  ],
  commands: ['platform', 'edge', 'features/*', 'platform-api', 'pages', 'service', 'src/*', 'cli', 'package.json'],
  client: [],
  cli: ['client'],
  dashboard: ['client', 'types'],
}

/** Questions that need another room's table in the same statement. Everything else is asked in the owner's room. */
const JOINS: readonly { file: string; table: string; reason: string }[] = [
  {
    file: 'src/features/accounts/queries.ts',
    table: 'projects',
    reason: 'who may do what in which project is asked on every request of the dashboard, in one query',
  },
  {
    file: 'src/features/projects/freed-slugs.ts',
    table: 'members',
    reason: 'a slug that was given up goes back to those who own its project in the moment in which it is taken',
  },
  {
    file: 'src/features/deploys/queries.ts',
    table: 'projects',
    reason: 'a project without a deploy is found by what is missing, and a preview is asked for on every request',
  },
  {
    file: 'src/features/domains/queries.ts',
    table: 'projects',
    reason: 'a hostname leads to its project on every handshake, in one query',
  },
]

/** What a migration brings over from another room, once. */
const BROUGHT_OVER: readonly { file: string; table: string }[] = [
  { file: 'src/features/deploys/migration.ts', table: 'audit_entries' },
  { file: 'src/features/keys/migration.ts', table: 'audit_entries' },
]

interface Import {
  from: string
  to: string
  typeOnly: boolean
  /** Loaded when it is needed, by `import()`. */
  late: boolean
}

const files = globSync('{src,cli/src,client/src,dashboard/src}/**/*.{ts,tsx,js}', { cwd: ROOT })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !/\.test\.tsx?$/.test(path))
const sources = new Map(files.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]))
const imports = files.flatMap(importsOf)

test('imports run one way', () => {
  assert.ok(imports.length > 300, 'the imports were not found')
  const wrong = imports.filter((one) => !isAllowed(one)).map(({ from, to }) => `${from} → ${to}`)
  assert.deepEqual(wrong, [])
})

test('the client and the command line depend on nothing but themselves and the platform that they run on', () => {
  const strangers = files
    .filter((path) => path.startsWith('client/') || path.startsWith('cli/'))
    .flatMap((path) => specifiersIn(path).map(({ specifier }) => ({ path, specifier })))
    .filter(({ specifier }) => !specifier.startsWith('.') && !specifier.startsWith('node:'))
  assert.deepEqual(strangers, [])
})

/** The command, what it loads by the number of workers, and what each of them runs. */
const SERVE = ['serve.ts', 'serve/alone.ts', 'serve/several.ts', 'serve/worker.ts'].map(
  (name) => `src/commands/${name}`,
)

test('a start loads no package that only some requests need', () => {
  const reached = eagerlyReachedFrom(...SERVE)
  assert.ok(reached.has('src/features/certificates/serving.ts'), 'the imports were not followed')
  const rare = new Set(['@peculiar/x509', 'jose', 'nodemailer', 'pg', 'prom-client', 'tar-stream', 'yauzl'])
  const loaded = [...reached].filter((path) =>
    specifiersIn(path).some(({ specifier, typeOnly, late }) => !typeOnly && !late && rare.has(specifier)),
  )
  assert.deepEqual(loaded, [])
})

test('a running service asks DNS on the thread of look-ups alone', () => {
  const reached = eagerlyReachedFrom(...SERVE)
  assert.ok(reached.has('src/features/domains/observation/lookups.ts'), 'the imports were not followed')
  assert.ok(!reached.has('src/platform/dns/client.ts'), 'the thread that serves requests could decode replies')
})

test('a table is named in its own room, and in the joins that are listed', () => {
  const owners = new Map(tableNames(/\.createTable\('(\w+)'/g).map(({ file, table }) => [table, roomOf(file)]))
  const uses = [...tableNames(IN_QUERY), ...tableNames(IN_SQL)].filter(({ table }) => owners.has(table))
  const unseen = [...owners].filter(
    ([table, room]) => !uses.some((use) => use.table === table && roomOf(use.file) === room),
  )
  assert.deepEqual(unseen, [], 'the queries were not found')
  const foreign = uses.filter(({ file, table }) => owners.get(table) !== roomOf(file))
  const name = ({ file, table }: { file: string; table: string }) => `${file} → ${table}`
  assert.deepEqual([...new Set(foreign.map(name))].sort(), [...JOINS, ...BROUGHT_OVER].map(name).sort())
})

test('only config.ts reads the environment, and settings.ts of the command line', () => {
  assert.deepEqual(inPrograms(/\bprocess\.env\b|\{ env \} = process\b/), ['cli/src/settings.ts', 'src/config.ts'])
})

test('only clock.ts reads the machine’s clock', () => {
  assert.deepEqual(inPrograms(/\bDate\.now\b|\bnew Date\(\)|\bDate\(\)|\bTemporal\.Now\b/), [
    'cli/src/line/clock.ts',
    'src/platform/clock.ts',
  ])
})

test('only turns.ts locks by name', () => {
  assert.deepEqual(inPrograms(/\bpg_\w*advisory/), ['src/platform/storage/turns.ts'])
})

test(`no file is longer than ${LINES_MAX} lines`, () => {
  const long = files.filter((path) => linesOf(path) > LINES_MAX)
  assert.deepEqual(long, [])
})

test(`no line is longer than ${CHARACTERS_MAX} characters`, () => {
  // Generated, and one drawn path.
  const exempt = new Set(['client/src/types.ts', 'dashboard/src/frame/logo.tsx'])
  const everywhere = globSync('{bench,bin,cli,client,dashboard,reference,scripts,src,test}/**/*.{ts,tsx,js}', {
    cwd: ROOT,
    exclude: ['**/node_modules/**', '**/dist/**'],
  }).map((path) => path.replaceAll('\\', '/'))
  const wide = everywhere.filter((path) =>
    readFileSync(join(ROOT, path), 'utf8')
      .split('\n')
      .some((line) => line.length > CHARACTERS_MAX),
  )
  assert.deepEqual(
    wide.filter((path) => !exempt.has(path)),
    [],
  )
})

test('the service imports node:http for its types only, because its values would bring undici to every start', () => {
  const costly = files.filter(
    (path) => path.startsWith('src/') && /^import (?!type).*'node:http'$/m.test(readFileSync(join(ROOT, path), 'utf8')),
  )
  assert.deepEqual(costly, [])
})

test(`no folder of the service or the command line has more than ${FILES_MAX} files`, () => {
  const folders = Map.groupBy(files.filter(isOfPrograms), (path) => dirname(path))
  assert.deepEqual(
    [...folders].filter(([, found]) => found.length > FILES_MAX).map(([folder]) => folder),
    [],
  )
})

test('no file reaches itself by its imports, not even by types', () => {
  const next = Map.groupBy(imports, ({ from }) => from)
  const reaches = (start: string) => {
    const reached = new Set((next.get(start) ?? []).map(({ to }) => to))
    for (const path of reached) (next.get(path) ?? []).forEach(({ to }) => reached.add(to))
    return reached.has(start)
  }
  assert.deepEqual(files.filter(reaches), [])
})

test('there are no barrels and no drawers for odds and ends', () => {
  const drawers = files.filter((path) =>
    /\/(?:utils?|helpers?|lib|misc|common|shared)(?:\/|\.tsx?$)|\/(?:index|types)\.ts$/.test(path),
  )
  assert.deepEqual(
    drawers.filter((path) => path !== 'client/src/types.ts'),
    [],
  )
})

function eagerlyReachedFrom(...starts: readonly string[]): Set<string> {
  const reached = new Set(starts)
  for (const path of reached) {
    imports.filter((one) => one.from === path && !one.typeOnly && !one.late).forEach(({ to }) => reached.add(to))
  }
  return reached
}

/** What takes the name of a table first, or first after the database. */
const CALLS =
  'selectFrom|insertInto|updateTable|deleteFrom|mergeInto|using|\\w*[tT]able|insertRows|deleteSomeOf|\\w*[jJ]oin'
/** A table as kysely is given it, perhaps with an alias, and as its rows are typed. */
const IN_QUERY = new RegExp(`(?:\\b(?:${CALLS})\\(\\s*(?:\\w+,\\s*)?|\\bTables\\[)'(\\w+)(?: as \\w+)?'`, 'g')
/** A table in SQL that is written out. */
const IN_SQL = /\b(?:from|join|into|update|using|table)\s+"?(\w+)\b/gi

function tableNames(pattern: RegExp): { file: string; table: string }[] {
  return files
    .filter((file) => file.startsWith('src/'))
    .flatMap((file) => [...codeOf(file).matchAll(pattern)].map(([, table = '']) => ({ file, table })))
}

const codeOf = (file: string) => (sources.get(file) ?? '').replaceAll(/\/\*[^]*?\*\/|\/\/.*$/gm, '')

function isAllowed({ from, to, typeOnly }: Import): boolean {
  const [room, target] = [roomOf(from), roomOf(to)]
  if (room === target) return true
  const allowed = MAY_IMPORT[room] ?? MAY_IMPORT[general(room)] ?? []
  if (allowed.includes('types') && to.startsWith('src/')) return typeOnly || runsInBrowser(to)
  return [target, general(target), to].some((name) => allowed.includes(name))
}

/** Neither the file nor anything that it brings along needs Node or a package. */
function runsInBrowser(path: string): boolean {
  return specifiersIn(path)
    .filter(({ typeOnly }) => !typeOnly)
    .every(({ specifier }) => specifier.startsWith('.') && runsInBrowser(posix.join(dirname(path), specifier)))
}

/** `platform`, `features/pets`, …; a file directly in src is its own room, so that it can be named. */
function roomOf(path: string): string {
  const [top = '', second = '', third = ''] = path.split('/')
  if (top !== 'src') return top
  if (second === 'features') return `features/${third}`
  return third === '' ? path : second
}

function general(room: string): string {
  return room.replace(/^(features|src)\/.*$/, '$1/*')
}

function importsOf(path: string): Import[] {
  return specifiersIn(path)
    .filter(({ specifier }) => specifier.startsWith('.'))
    .map(({ specifier, ...how }) => ({ from: path, to: posix.join(dirname(path), specifier), ...how }))
}

function specifiersIn(path: string): { specifier: string; typeOnly: boolean; late: boolean }[] {
  const source = sources.get(path) ?? ''
  const statements = source.matchAll(/^(?:import|export)\s+(type\s)?(?:[^'";]*?\sfrom\s+)?['"]([^'"]+)['"]/gm)
  const loaded = source.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g)
  return [
    ...[...statements].map(([, type, specifier = '']) => ({ specifier, typeOnly: type !== undefined, late: false })),
    ...[...loaded].map(([, specifier = '']) => ({ specifier, typeOnly: false, late: true })),
  ]
}

/** In the service and the command line. */
function inPrograms(pattern: RegExp): string[] {
  return files.filter((path) => isOfPrograms(path) && pattern.test(sources.get(path) ?? ''))
}

function isOfPrograms(path: string): boolean {
  return path.startsWith('src/') || path.startsWith('cli/')
}

const linesOf = (path: string) => (sources.get(path) ?? '').split('\n').length - 1

test('each decision has a number of its own, the same in its name and its heading', () => {
  const files = globSync('docs/decisions/[0-9]*.md', { cwd: ROOT }).map((path) => posix.basename(path))
  const numbers = files.map((file) => Number(file.slice(0, 4)))
  assert.equal(new Set(numbers).size, numbers.length, files.join())
  for (const file of files) {
    const text = readFileSync(join(ROOT, 'docs/decisions', file), 'utf8')
    assert.ok(text.startsWith(`# ${Number(file.slice(0, 4))}. `), file)
  }
})
