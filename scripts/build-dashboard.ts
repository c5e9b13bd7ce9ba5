import { randomUUID } from 'node:crypto'
import { access, appendFile, constants, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { BUILDS, type BuildRecord, DASHBOARD, hashSources, isDashboardCurrent } from '../src/pages/dashboard-build.ts'
import { precompress } from '../src/features/deploys/files/encodings.ts'
import { lockFile } from '../src/platform/storage/sqlite/file-lock.ts'

/**
 * Builds the dashboard's pages where their sources have changed; `--force` builds them in any case. They go into the
 * first of the named folders that can be written, and beside their sources where none is named.
 */
const ROOT = join(import.meta.dirname, '..')
const LOCK = 'build.lock'
const NOWHERE =
  'The dashboard can be written neither into the checkout (dashboard/dist) nor into the data directory. ' +
  'Build it as a user who may write into the checkout: node scripts/build-dashboard.ts'

if (import.meta.main) {
  const { values, positionals } = parseArgs({ options: { force: { type: 'boolean' } }, allowPositionals: true })
  const folders = positionals.length > 0 ? positionals : [BUILDS]
  await buildOnce(folders, values.force === true).catch((error: Error) => {
    console.error(error.message)
    process.exitCode = 1
  })
}

/** One at a time: of several services that start together on a new checkout, one builds and the others wait. */
async function buildOnce(folders: string[], force: boolean): Promise<void> {
  const folder = await firstWritable(folders)
  using _alone = lockFile(join(folder, LOCK))
  if (force || !(await isDashboardCurrent(folders))) await build(folder)
}

/** An installation is often another user's, or read-only, as under the unit of systemd. */
async function firstWritable(folders: readonly string[]): Promise<string> {
  for (const folder of folders) {
    // What is in the data directory is for the service's own user.
    if (folder !== BUILDS) process.umask(0o077)
    try {
      await mkdir(folder, { recursive: true })
      await access(folder, constants.W_OK)
      // Another user may have built here before: a file that may only be read is locked for nobody, without an error.
      await appendFile(join(folder, LOCK), '')
      return folder
    } catch {
      // The next one may do. The error would not say more: Node has ENOENT for what is read-only.
    }
  }
  throw new Error(NOWHERE)
}

async function build(folder: string): Promise<void> {
  const { build: viteBuild } = await importVite()
  const name = randomUUID()
  const outDir = join(folder, name)
  const shared = new Set<string>()
  const before = await hashSources([])
  await viteBuild({
    configFile: join(DASHBOARD, 'vite.config.ts'),
    // The others write into node_modules first.
    configLoader: 'native',
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
  await writeFile(join(folder, `${name}.json`), JSON.stringify(record, undefined, 2))
  await rename(join(folder, `${name}.json`), join(folder, 'current.json'))
  await removeOthers(folder, name)
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
async function removeOthers(folder: string, name: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory() && entry.name !== name) await rm(join(folder, entry.name), { recursive: true, force: true })
  }
}
