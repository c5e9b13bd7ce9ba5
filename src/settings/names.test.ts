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

test('a name that nothing reads is told, but not what Kubernetes sets for services called petstore and so on', () => {
  const ofService = ['SERVICE_HOST', 'SERVICE_PORT', 'SERVICE_PORT_HTTP', 'PORT', 'PORT_80_TCP', 'PORT_80_TCP_ADDR']
  const ofKubernetes = ofService.flatMap((name) => [`PETSTORE_${name}`, `PETSTORE_DNS_${name}`])
  const mistyped = ['PETSTORE_BASEURL', 'PETSTORE_HTP_PORT', 'Petstore_Data']
  const given = ['HOME', 'PETSTORE_DATA', 'DATABASE_URL', ...mistyped, ...ofKubernetes]
  const environment = Object.fromEntries(given.map((name) => [name, 'x']))
  assert.deepEqual(unknownNames(environment), mistyped)
})
