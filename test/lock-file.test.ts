import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'

interface Entry {
  link?: boolean
  integrity?: string
  hasInstallScript?: boolean
  optionalDependencies?: Record<string, string>
}

const read = (name: string) => JSON.parse(readFileSync(join(import.meta.dirname, '..', name), 'utf8'))
const entries = Object.entries<Entry>(read('package-lock.json').packages).filter(([path]) =>
  path.includes('node_modules/'),
)
const nameOf = (path: string) => path.split('node_modules/').at(-1)!
const locked = new Set(entries.map(([path]) => nameOf(path)))

/** Beside an existing `node_modules` npm forgets other platforms in the lock; `npm run lock` writes it whole. */
describe('the lock file', () => {
  it('has a hash for whatever is downloaded', () => {
    const bare = entries.filter(([, entry]) => !entry.link && !entry.integrity).map(([path]) => path)
    assert.deepEqual(bare, [])
  })

  it('has what every package offers for other platforms', () => {
    const offered = entries.flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}))
    assert.deepEqual(
      offered.filter((name) => !locked.has(name)),
      [],
    )
  })

  for (const platform of [
    'linux-x64-gnu',
    'linux-arm64-gnu',
    'linux-x64-musl',
    'linux-arm64-musl',
    'darwin-x64',
    'darwin-arm64',
    'win32-x64-msvc',
  ])
    it(`brings the bundler and its style compiler for ${platform}`, () => {
      for (const family of ['@rolldown/binding-', 'lightningcss-'])
        assert.ok(locked.has(`${family}${platform}`), `${family}${platform} is missing`)
    })

  it('brings Node itself, of one version, for every platform that npm has it for', () => {
    const { optionalDependencies } = read('package.json')
    assert.equal(new Set(Object.values(optionalDependencies)).size, 1)
    for (const name of Object.keys(optionalDependencies)) assert.ok(locked.has(name), `${name} is missing`)
  })

  it('lets exactly the packages run install scripts that have one, on every platform', () => {
    const scripted = entries.filter(([, entry]) => entry.hasInstallScript).map(([path]) => nameOf(path))
    assert.deepEqual(Object.keys(read('package.json').allowScripts).toSorted(), scripted.toSorted())
  })
})
