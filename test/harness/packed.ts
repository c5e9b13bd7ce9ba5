import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** The client as npm would publish it, built anew in this directory; the path of its archive. */
export function packClient(directory: string): string {
  const source = join(directory, 'client')
  mkdirSync(source, { recursive: true })
  for (const name of ['package.json', 'README.md', 'LICENSE']) cpSync(join(root, 'client', name), join(source, name))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const project = join(root, 'client/tsconfig.build.json')
  execFileSync(process.execPath, [tsc, '-p', project, '--outDir', join(source, 'dist')])
  const options = ['--ignore-scripts', '--json', '--loglevel=error', '--pack-destination', directory]
  const printed = execFileSync('npm', ['pack', ...options], { cwd: source, encoding: 'utf8' })
  const [{ filename }] = JSON.parse(printed) as [{ filename: string }]
  return join(directory, filename)
}

/** An empty directory becomes somebody's project that has installed these archives, and nothing else is fetched. */
export function installPacked(directory: string, archives: readonly string[], environment = process.env): void {
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), '{"private":true,"type":"module"}')
  const options = ['--offline', '--no-audit', '--no-fund', '--loglevel=error']
  execFileSync('npm', ['install', ...options, ...archives], { cwd: directory, env: environment })
}
