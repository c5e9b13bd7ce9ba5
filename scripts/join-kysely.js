// Plain JavaScript: it runs at the end of `npm ci`, whichever Node that is. Node takes 0.4 ms for each of kysely's 255
// modules, in every process and thread; for one module with all of them it takes a tenth of that. Beside them it goes
// when npm brings another version. Where only what the service itself needs is installed, there is nothing to do.
import { renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = join(dirname(dirname(fileURLToPath(import.meta.url))), 'node_modules/kysely/dist')
const joined = join(modules, 'joined.js')

const { rolldown } = await import('rolldown').catch(() => ({}))
if (rolldown) {
  const bundle = await rolldown({ input: join(modules, 'index.js'), platform: 'node' })
  const { output } = await bundle.generate({ format: 'esm' })
  // At once or not at all: whoever finds the file uses it.
  writeFileSync(`${joined}.new`, output[0].code)
  renameSync(`${joined}.new`, joined)
  await bundle.close()
}
