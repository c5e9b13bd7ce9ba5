import assert from 'node:assert/strict'
import { chownSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { giveToOwnerOf } from './private-file.ts'

test('the owner of a directory gets no file of root by a link to it', (t) => {
  if (process.getuid?.() !== 0) return t.skip('only root gives files away')
  const directory = mkdtempSync(join(tmpdir(), 'petstore-owner-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const secret = join(directory, 'secret')
  writeFileSync(secret, '')
  chownSync(directory, 65_534, 65_534)
  const link = join(directory, 'petstore.sqlite')
  symlinkSync(secret, link)
  giveToOwnerOf(directory, link)
  assert.equal(statSync(secret).uid, 0)
})
