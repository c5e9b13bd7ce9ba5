import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  BUILD_MAX_MS,
  BUILDS,
  type BuildRecord,
  DASHBOARD,
  hashSources,
  isDashboardCurrent,
} from '../src/pages/dashboard-build.ts'
import { precompress } from '../src/features/deploys/files/encodings.ts'

/** Builds the dashboard's pages where their sources have changed; `--force` builds them in any case. */
const LOCK = join(BUILDS, 'building.lock')
const ROOT = join(import.meta.dirname, '..')

if (import.meta.main) {
  await buildOnce(process.argv.includes('--force')).catch((error: NodeJS.ErrnoException) => {
    const isReadOnly = error.code === 'EACCES' || error.code === 'EROFS'
    console.error(isReadOnly ? `${BUILDS} cannot be written: build the dashboard as a user who may.` : error.message)
    process.exitCode = 1
  })
}

/** One at a time: of several services that start together on a new checkout, one builds and the others wait. */
async function buildOnce(force: boolean): Promise<void> {
  await mkdir(BUILDS, { recursive: true })
  for (;;) {
    await using lock = await takeLock()
    if (lock) {
      if (force || !(await isDashboardCurrent())) await build()
      return
    }
    await wait(200)
    if (!force && (await isDashboardCurrent())) return
  }
}

async function takeLock(): Promise<AsyncDisposable | undefined> {
  try {
    const file = await open(LOCK, 'wx')
    await file.writeFile(String(process.pid))
    await file.close()
    return { [Symbol.asyncDispose]: () => rm(LOCK, { force: true }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (await isAbandoned()) await rm(LOCK, { force: true })
    return undefined
  }
}

/** Whoever held it has been killed, or has been at it for longer than any build takes. */
async function isAbandoned(): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(LOCK)
    if (performance.timeOrigin + performance.now() - mtimeMs > BUILD_MAX_MS) return true
    const pid = Number(await readFile(LOCK, 'utf8'))
    if (pid > 0) process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

async function build(): Promise<void> {
  const { build: viteBuild } = await importVite()
  const name = randomUUID()
  const outDir = join(BUILDS, name)
  const shared = new Set<string>()
  const before = await hashSources([])
  await viteBuild({
    configFile: join(DASHBOARD, 'vite.config.ts'),
    logLevel: 'warn',
    mode: 'production',
    build: { outDir },
    plugins: [
      {
        name: 'note-what-is-shared',
        generateBundle() {
          for (const id of this.getModuleIds()) {
            const path = relative(ROOT, id.split('?', 1)[0] as string)
            if (/^(?:client|src)[\\/]/.test(path)) shared.add(path.replaceAll(sep, '/'))
          }
        },
      },
    ],
  })
  if (before !== (await hashSources([]))) throw new Error('The sources changed during the build: build again.')
  await compressAll(outDir)
  const record: BuildRecord = { build: name, shared: [...shared].sort(), hash: await hashSources([...shared].sort()) }
  await writeFile(join(BUILDS, `${name}.json`), JSON.stringify(record, undefined, 2))
  await rename(join(BUILDS, `${name}.json`), join(BUILDS, 'current.json'))
  await removeOthers(name)
}

/** A sentence instead of a stack where only the runtime dependencies are installed. */
async function importVite(): Promise<typeof import('vite')> {
  try {
    return await import('vite')
  } catch {
    console.error('Vite is not installed. Install everything with: npm ci')
    process.exit(1)
  }
}

/** Beside each file, so that serving never compresses. */
async function compressAll(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'index.html') continue
    const path = join(entry.parentPath, entry.name)
    const { br, gzip } = await precompress(await readFile(path))
    if (br) await writeFile(`${path}.br`, br)
    if (gzip) await writeFile(`${path}.gz`, gzip)
  }
}

/** A service that is running has read its pages already, or reads them from the folder that is the newest now. */
async function removeOthers(name: string): Promise<void> {
  for (const entry of await readdir(BUILDS, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== name) await rm(join(BUILDS, entry.name), { recursive: true, force: true })
  }
}
