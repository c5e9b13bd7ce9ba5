import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SETTING_NAMES, unknownNames } from './names.ts'

const ROOT = new URL('../../', import.meta.url)
/** All that look at the environment, and the page that explains what they find there. */
const READERS = ['src/config.ts', 'src/settings/!(names*).ts', 'src/platform/dns/authoritative/settings.ts']

test('every setting that is read or explained is a known name, and no other', () => {
  const files = globSync([...READERS, 'cli/src/settings.ts', 'docs/operating.md'], { cwd: ROOT })
  const texts = files.map((file) => readFileSync(new URL(file, ROOT), 'utf8')).join('\n')
  const mentioned = new Set(texts.match(/\bPETSTORE_[A-Z_]*[A-Z]\b(?!_|\$|\*)/g))
  const prefixes = new Set(['PETSTORE_ACME', 'PETSTORE_ACME_FALLBACK'])
  assert.deepEqual([...mentioned].filter((name) => !SETTING_NAMES.includes(name) && !prefixes.has(name)).sort(), [])
  const ofFallback = /^PETSTORE_ACME_FALLBACK_(?!DIRECTORY)/
  assert.deepEqual(
    SETTING_NAMES.filter((name) => !mentioned.has(name.replace(ofFallback, 'PETSTORE_ACME_'))),
    [],
  )
})

test('a name that nothing reads is told, but not what Kubernetes sets for a service called petstore', () => {
  const ofKubernetes = ['PETSTORE_SERVICE_HOST', 'PETSTORE_SERVICE_PORT_HTTP', 'PETSTORE_PORT', 'PETSTORE_PORT_80_TCP']
  const given = ['HOME', 'PETSTORE_DATA', 'PETSTORE_BASEURL', 'Petstore_Data', 'DATABASE_URL', ...ofKubernetes]
  const environment = Object.fromEntries(given.map((name) => [name, 'x']))
  assert.deepEqual(unknownNames(environment), ['PETSTORE_BASEURL', 'Petstore_Data'])
})
