import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkUnitFile } from './unit-file.ts'

test('settings of the unit that the doctor was not given are named, and where all were there is nothing to say', () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-unit-'))
  try {
    const file = join(directory, 'petstore.env')
    assert.deepEqual(checkUnitFile([], file), [], 'no unit')
    const lines = ['# ours', 'PETSTORE_DNS=', 'PETSTORE_SIGNUP=""', 'PETSTORE_BASE_URL=https://pets.example/v1']
    writeFileSync(file, `${lines.join('\n')}\nDATABASE_URL="postgres://db/pets"\nTZ=UTC\n`)
    const [told] = checkUnitFile(['PETSTORE_DATA', 'PETSTORE_BASE_URL'], file)
    assert.deepEqual([told?.state, told?.name], ['warn', 'unit'])
    assert.match(
      told?.message ?? '',
      /petstore\.env, .* is not read here: this was examined without DATABASE_URL\. docs/,
    )
    assert.deepEqual(checkUnitFile(['DATABASE_URL', 'PETSTORE_BASE_URL'], file), [])
  } finally {
    rmSync(directory, { recursive: true })
  }
})
