// Plain JavaScript: it runs at the end of `npm ci`, whichever Node that is. With it `petstore-client` can be imported
// from a checkout as from a registry. Where only what the service itself needs is installed, there is nothing to do.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const compiler = join(root, 'node_modules/typescript/bin/tsc')

if (existsSync(compiler)) {
  const { status } = spawnSync(process.execPath, [compiler, '-p', join(root, 'client/tsconfig.build.json')], {
    stdio: 'inherit',
  })
  process.exitCode = status ?? 1
}
