import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

interface Packed {
  filename: string
  size: number
  files: { path: string }[]
}

/** The client as npm would publish it, built anew in this directory; the path of its archive. */
export const packClient = (directory: string): string => join(directory, pack('client', directory).filename)

/** The command line likewise; what its archive is and holds. */
export const packCli = (directory: string): Packed => pack('cli', directory)

function pack(folder: 'cli' | 'client', directory: string): Packed {
  const source = join(directory, folder)
  cpSync(join(root, folder), source, { recursive: true, filter: (path) => !/\/(?:dist|src)$/.test(path) })
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const project = join(root, folder, 'tsconfig.build.json')
  execFileSync(process.execPath, [tsc, '-p', project, '--outDir', join(source, 'dist')])
  const options = ['--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', directory]
  const printed = execFileSync('npm', ['pack', ...options], { cwd: source, encoding: 'utf8' })
  const [packed] = JSON.parse(printed) as [Packed]
  return packed
}

/** An empty directory becomes somebody's project that has installed these archives, and nothing else is fetched. */
export function installPacked(directory: string, archives: readonly string[], environment = process.env): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), '{"private":true,"type":"module"}')
  const options = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, ...archives], { cwd: directory, env: environment })
}
