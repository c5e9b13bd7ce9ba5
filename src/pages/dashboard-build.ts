import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'

export const DASHBOARD = fileURLToPath(new URL('../../dashboard', import.meta.url))
export const BUILDS = join(DASHBOARD, 'dist')
const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const BUILDER = fileURLToPath(new URL('../../scripts/build-dashboard.ts', import.meta.url))

/** Longer than any build takes, also on a small and busy machine. */
const BUILD_MAX_MS = 600_000

/** Where a build can be: beside its sources, and in the data directory of a service that may not write there. */
export const buildFolders = (dataDirectory: string): string[] => [BUILDS, join(dataDirectory, 'dashboard')]

/** Says which build is the one to serve, and what it was made from. */
export interface BuildRecord {
  /** Name of the folder beside it. */
  build: string
  /** Of every source. */
  hash: string
  /** Modules of the service itself and of the client that went into it, relative to the checkout. */
  shared: string[]
}

/** Where the builder's progress is told. */
export interface BuildTerminal {
  /** Replaces the line that it wrote last. */
  status(text: string): void
}

/** The pages as they are built, or nothing where they have not been: an older build until there is a current one. */
export async function builtDashboard(folders = [BUILDS]): Promise<string | undefined> {
  const builds = await findBuilds(folders)
  if (builds.length < 2) return builds[0]?.path
  return ((await findCurrent(builds)) ?? builds.at(-1))?.path
}

export async function isDashboardCurrent(folders = [BUILDS]): Promise<boolean> {
  return (await findCurrent(await findBuilds(folders))) !== undefined
}

export type BuildOutcome =
  | { kind: 'current' }
  | { kind: 'built' }
  | { kind: 'aborted' }
  | { kind: 'failed'; reason: string; output: string }

/**
 * Builds the pages where they are missing or older than their sources. A service without a dashboard still serves
 * everything else, so that a failure is returned and not thrown.
 */
export async function ensureDashboard(
  terminal: BuildTerminal,
  folders = [BUILDS],
  signal?: AbortSignal,
): Promise<BuildOutcome> {
  if (await isDashboardCurrent(folders)) return { kind: 'current' }
  // A stop may have come while the sources were read; nobody would end the builder then.
  if (signal?.aborted) return { kind: 'aborted' }
  const startedAt = performance.now()
  const say = () =>
    terminal.status(`Building the dashboard, once … ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  say()
  const ticking = setInterval(say, 1000)
  try {
    const { code, output } = await runBuilder(folders, signal)
    if (code === 0) return { kind: 'built' }
    if (signal?.aborted) return { kind: 'aborted' }
    return { kind: 'failed', reason: reasonIn(output, folders), output: output.trim() }
  } finally {
    clearInterval(ticking)
    terminal.status('')
  }
}

const REASON_CHARACTERS_MAX = 400

/** How the builder's words begin, without places of this machine: they are shown on a page. */
export function reasonIn(output: string, folders: readonly string[]): string {
  let words = stripVTControlCharacters(output).replaceAll(ROOT, '')
  for (const folder of folders) words = words.replaceAll(folder, '…')
  words = words.replaceAll(/\s+/g, ' ').trim()
  return words.slice(0, REASON_CHARACTERS_MAX) || 'The builder ended without a word.'
}

async function runBuilder(
  folders: readonly string[],
  signal?: AbortSignal,
): Promise<{ code: number | null; output: string }> {
  const child: ChildProcess = spawn(process.execPath, [BUILDER, ...folders], { stdio: ['ignore', 'pipe', 'pipe'] })
  const stop = () => child.kill()
  signal?.addEventListener('abort', stop)
  let isLate = false
  const late = setTimeout(() => {
    isLate = true
    child.kill('SIGKILL')
  }, BUILD_MAX_MS)
  const output: Buffer[] = []
  child.stdout?.on('data', (chunk: Buffer) => output.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => output.push(chunk))
  const [code] = (await once(child, 'close')) as [number | null]
  clearTimeout(late)
  signal?.removeEventListener('abort', stop)
  const given = Buffer.concat(output).toString()
  return { code, output: isLate ? `The build took longer than ${BUILD_MAX_MS / 60_000} minutes.\n${given}` : given }
}

interface Build {
  path: string
  record: BuildRecord
}

async function findBuilds(folders: readonly string[]): Promise<Build[]> {
  const builds: Build[] = []
  for (const folder of folders) {
    try {
      const record = JSON.parse(await readFile(join(folder, 'current.json'), 'utf8')) as BuildRecord
      builds.push({ path: join(folder, record.build), record })
    } catch {
      // Nothing has been built there.
    }
  }
  return builds
}

async function findCurrent(builds: readonly Build[]): Promise<Build | undefined> {
  for (const build of builds) if (build.record.hash === (await hashSources(build.record.shared))) return build
  return undefined
}

/** Changes with every byte that could change the build: the pages, what they share with the service, the packages. */
export async function hashSources(shared: readonly string[]): Promise<string> {
  const own = ['index.html', 'vite.config.ts', 'package.json'].map((name) => join(DASHBOARD, name))
  const folders = await Promise.all(['src', 'public'].map((name) => filesBelow(join(DASHBOARD, name))))
  const outside = [...shared, 'package-lock.json'].map((path) => join(ROOT, path))
  const paths = [...new Set([...own, ...folders.flat(), ...outside])].sort()
  const contents = await Promise.all(paths.map((path) => readFile(path).catch(() => 'missing')))
  const hash = createHash('sha256')
  for (const [at, path] of paths.entries()) {
    const content = createHash('sha256').update(contents[at]!).digest('hex')
    hash.update(`${relative(ROOT, path)} ${content}\n`)
  }
  return hash.digest('hex')
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}
