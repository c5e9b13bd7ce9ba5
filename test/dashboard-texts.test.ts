import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sentenceOf } from '../dashboard/src/features/audit/sentences.ts'
import { AUDIT_NOUNS } from '../src/features/audit/audit.ts'

const SOURCES = join(import.meta.dirname, '../dashboard/src')
const sources = globSync('**/*.{ts,tsx}', { cwd: SOURCES })
  .map((path) => path.replaceAll('\\', '/'))
  .map((path) => ({ path, text: readFileSync(join(SOURCES, path), 'utf8') }))
const having = (pattern: RegExp) => sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path)

test('dates and times are written in one place, and the marks below the charts in another', () => {
  const written = /\bDateTimeFormat\(|\.toLocale(?:Date|Time)String\(|\.to(?:Date|GMT|Time|UTC)String\(/
  assert.deepEqual(having(written).sort(), ['parts/chart/times.ts', 'parts/time.tsx'])
  // Hours from 0 to 23 in both: two clocks would stand in one card.
  const clocks = sources.flatMap(({ text }) => text.match(/\bhourCycle: '\w+'/g) ?? [])
  assert.deepEqual(clocks, ["hourCycle: 'h23'", "hourCycle: 'h23'"])
})

const COUNTED =
  'animal|attempt|code|column|day|domain|field|file|header|hour|key|member|minute|order|problem|record|request|row|' +
  'second|session'

test('what is counted is told by countText, which knows 1 from many', () => {
  const many = new RegExp(String.raw`\}\s+(?:${COUNTED})s\b(?!=)|\? '(\w+)' : '\1s'`)
  // How long ago: in seconds only from ten on.
  assert.deepEqual(having(many), ['parts/time.tsx'])
})

test('no text of a page has a backtick in it', () => {
  const inQuotes = /'[^'`\n]*`[^'\n]*'|"[^"`\n]*`[^"\n]*"/
  const inMarkup = />[^<>{}`;=]*`[\w./ -]+`[^<>{}`;=]*</
  assert.deepEqual(
    sources.flatMap(({ path, text }) =>
      withoutComments(text)
        .split('\n')
        .filter(
          (line) => /\\`/.test(line) || (line.split('`').length === 2 && inQuotes.test(line)) || inMarkup.test(line),
        )
        .map((line) => `${path}: ${line.trim()}`),
    ),
    [],
  )
})

const withoutComments = (text: string) => text.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, '')

test('a state is styled with what is in it: its name alone would reach whatever else has a state of that name', () => {
  const alone = globSync('**/*.css', { cwd: SOURCES }).flatMap((path) =>
    (readFileSync(join(SOURCES, path), 'utf8').match(/^\s*\.is-[^{]*/gm) ?? []).map(
      (selector) => `${path}: ${selector}`,
    ),
  )
  assert.deepEqual(alone, [])
})

test('every entry of the audit log that somebody can read has words, and its noun can be asked about', () => {
  const written = globSync('../../src/**/*.ts', { cwd: SOURCES, exclude: ['**/*.test.ts'] }).flatMap((path) =>
    Array.from(readFileSync(join(SOURCES, path), 'utf8').matchAll(/\bverb(?::| =).*/g), ([line]) =>
      Array.from(line.matchAll(/'([a-z-]+\.[a-z_-]+)'/g), ([, verb = '']) => verb),
    ).flat(),
  )
  // What is done in the sandbox, or to the master key, is of no project and no account.
  const verbs = [...new Set(written)].filter((verb) => !/^(?:sandbox|master-key)\./.test(verb))
  assert.ok(verbs.length > 50, verbs.join(' '))
  const nouns: readonly string[] = AUDIT_NOUNS
  const entry = { id: 1, at: '', actor: { kind: 'system', id: null, name: '' }, subject: 'it' } as const
  assert.deepEqual(
    verbs.filter((verb) => !nouns.includes(verb.split('.')[0] as string)),
    [],
  )
  assert.deepEqual(
    verbs.filter((verb) => sentenceOf({ ...entry, verb, details: {} }) === `${verb.replaceAll('.', ' ')} it`),
    [],
  )
  for (const requireSecondFactor of [true, false]) {
    assert.notEqual(sentenceOf({ ...entry, verb: 'project.change', details: { requireSecondFactor } }), '')
  }
})
