// Plain JavaScript: it runs at the end of `npm ci`, whichever Node that is. npm 9 and 10 install the pinned Node and
// link it, and then remove the link together with the packages of other platforms, which want the same name. Scripts
// of package.json would then run with the Node outside.
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const { optionalDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const installed = Object.keys(optionalDependencies).find((name) => existsSync(join(modules, name, 'bin')))
const isWindows = process.platform === 'win32'
const link = join(modules, '.bin', isWindows ? 'node.cmd' : 'node')

if (installed !== undefined && !existsSync(link)) {
  mkdirSync(dirname(link), { recursive: true })
  // One that leads nowhere.
  rmSync(link, { force: true })
  if (isWindows) writeFileSync(link, `@"%~dp0\\..\\${installed}\\bin\\node.exe" %*\r\n`)
  else symlinkSync(`../${installed}/bin/node`, link)
}
