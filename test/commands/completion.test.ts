import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { before, test } from 'node:test'
import { runCommand } from './command.ts'

let script: string
before(async () => {
  const { code, stdout, stderr } = await runCommand(['completion', 'bash'])
  assert.equal(code, 0, stderr)
  script = stdout
})

/** What bash offers for the last of these words. */
function offered(...words: string[]): string[] {
  const line = ['petstore', ...words].map((word) => `'${word}'`).join(' ')
  const cursor = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}`
  const ask = `${script}\n${cursor}; _petstore; printf '%s\\n' "\${COMPREPLY[@]}"`
  const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', ask], { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
  return stdout.split('\n').filter((text) => text !== '')
}

test('bash completes commands of any number of words, their options, and the values that are known', () => {
  assert.ok(['serve', 'keys', 'domains', 'sandbox', 'completion'].every((word) => offered('').includes(word)))
  assert.deepEqual(offered('keys', 'r'), ['revoke', 'rotate'])
  assert.deepEqual(offered('sandbox', ''), ['dns'])
  assert.deepEqual(offered('sandbox', 'dns', ''), ['list', 'add', 'remove', 'fault'])
  assert.deepEqual(offered('domains', 'verify', 'www.example.com', '--w'), ['--wait'])
  assert.deepEqual(offered('keys', 'create', '--environment', ''), ['production', 'staging'])
  assert.deepEqual(offered('domains', 'redirect', 'a.test', 'b.test', '--status', '30'), ['301', '302', '307', '308'])
  assert.deepEqual(offered('move', 'postgres://db/petstore', '--'), ['--from', '--rehearsal', '--json', '--help'])
  assert.deepEqual(offered('deploy', ''), [])
  assert.deepEqual(offered('completion', ''), ['bash', 'zsh', 'fish'])
  assert.deepEqual(offered('projects', 'plan', 'kennel', 'p'), ['pro'])
  assert.deepEqual(offered('projects', 'plan', '--s'), ['--server'])
})

test('every shell gets every command, in its own language', async (t) => {
  const shells = ['zsh', 'fish']
  const [zsh = '', fish = ''] = await Promise.all(
    shells.map(async (shell) => (await runCommand(['completion', shell])).stdout),
  )
  assert.match(zsh, /^#compdef petstore\n[^]*'sandbox dns '\) next=\('list:List the zones/)
  assert.match(fish, /-n '__petstore_begins domains verify' -l wait -d /)
  for (const [shell, text] of [
    ['bash', script],
    ['zsh', zsh],
    ['fish', fish],
  ] as const) {
    const { error, status, stderr } = spawnSync(shell, ['-n'], { input: text, encoding: 'utf8' })
    if (error) t.diagnostic(`${shell} is not installed here`)
    else assert.deepEqual([shell, status, stderr], [shell, 0, ''])
  }
})
