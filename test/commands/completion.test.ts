import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { runCommand } from './command.ts'

let directory: string
before(async () => {
  directory = mkdtempSync(join(tmpdir(), 'petstore-completion-'))
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { code, stdout, stderr } = await runCommand(['completion', shell])
    assert.equal(code, 0, stderr)
    writeFileSync(join(directory, shell), stdout)
  }
  writeFileSync(join(directory, 'terminal'), ZSH_IN_A_TERMINAL)
})
after(() => rmSync(directory, { recursive: true, force: true }))

/** What somebody has typed, the last word unfinished, and what the shell has to offer for that word. */
const OFFERED: [words: string[], offered: string[]][] = [
  [
    ['keys', 'r'],
    ['revoke', 'rotate'],
  ],
  [['sandbox', ''], ['dns']],
  [
    ['sandbox', 'dns', ''],
    ['list', 'add', 'remove', 'fault'],
  ],
  [['domains', 'verify', 'www.example.com', '--w'], ['--wait']],
  [
    ['keys', 'create', '--environment', ''],
    ['production', 'staging'],
  ],
  [
    ['domains', 'redirect', 'a.test', 'b.test', '--status', '30'],
    ['301', '302', '307', '308'],
  ],
  [
    ['move', 'postgres://db/petstore', '--'],
    ['--from', '--rehearsal', '--json', '--help'],
  ],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['projects', 'plan', 'kennel', 'p'], ['pro']],
  [['projects', 'plan', '--s'], ['--server']],
]
const FIRST_WORDS = ['serve', 'keys', 'domains', 'sandbox', 'completion']

const SHELLS: Record<string, (lines: string[][]) => string[][]> = {
  bash(lines) {
    const asked = lines.map((words) => {
      const cursor = `COMP_WORDS=(${['petstore', ...words].map(quoted).join(' ')}); COMP_CWORD=${words.length}`
      return `${cursor}; _petstore; echo "\${COMPREPLY[*]}"`
    })
    return answers('bash', ['--norc', '-c', ['source ./bash', ...asked].join('\n')])
  },
  fish(lines) {
    const asked = lines.map((words) => `echo (complete -C ${quoted(typed(words))} | cut -f 1)`)
    return answers('fish', ['--no-config', '-c', ['source ./fish', ...asked].join('\n')])
  },
  zsh: (lines) => answers('zsh', ['-f', '-c', ZSH_AT_A_KEYBOARD, 'zsh', ...lines.map(typed)]),
}

const typed = (words: string[]) => ['petstore', ...words].join(' ')
const quoted = (text: string) => `'${text}'`

/** A line of words for each line that was typed. */
function answers(shell: string, options: string[]): string[][] {
  const { stdout, stderr, status, error } = spawnSync(shell, options, {
    cwd: directory,
    encoding: 'utf8',
    timeout: 60_000,
  })
  assert.deepEqual({ status, stderr, error }, { status: 0, stderr: '', error: undefined })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '))
}

/** zsh completes only at a terminal: types every line into one, and prints what is offered there. */
const ZSH_AT_A_KEYBOARD = `
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "source ./terminal; source ./zsh; print rea''dy"
zpty -r shell answer '*ready*' || exit 1
for line in "$@"; do
  zpty -w -n shell "$line"$'\\t'
  zpty -r shell answer '*<end>*' || exit 1
  answer="\${answer##*<begin>}"
  print -r -- "\${answer%%<end>*}"
  # Away with the line.
  zpty -w -n shell $'\\C-u'
done
zpty -d shell`

/** What is added to the list of offers is printed too. */
const ZSH_IN_A_TERMINAL = `
autoload -U compinit
compinit -u -D
bindkey -e
compadd() {
  builtin compadd "$@"
  [[ \${@[1,(i)(-|--)]} == *-(O|A|D)* ]] && return
  local -a offered
  builtin compadd -A offered "$@"
  print -rn -- "<begin>$offered"
}
ended() { print -rn -- '<end>'; comppostfuncs=(ended) }
comppostfuncs=(ended)`

for (const [shell, complete] of Object.entries(SHELLS)) {
  test(`${shell} completes commands of any number of words, their options, and the values that are known`, () => {
    const [first = [], ...rest] = complete([[''], ...OFFERED.map(([words]) => words)])
    assert.ok(FIRST_WORDS.every((word) => first.includes(word)))
    // Each shell has an order of its own.
    const sorted = (offers: string[][]) => offers.map((words) => words.toSorted())
    assert.deepEqual(sorted(rest), sorted(OFFERED.map(([, offered]) => offered)))
  })
}

test('what is no word of ours is left to the shell: files', () => {
  const { stdout } = spawnSync('bash', ['--norc', '-c', `source ./bash; ${AFTER_DEPLOY}`], { cwd: directory })
  assert.equal(stdout.toString(), '0\n')
})

const AFTER_DEPLOY = `COMP_WORDS=(petstore deploy ''); COMP_CWORD=2; _petstore; echo "\${#COMPREPLY[@]}"`
