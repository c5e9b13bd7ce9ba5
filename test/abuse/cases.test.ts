import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { describe, test } from 'node:test'

const ROOT = join(import.meta.dirname, '../..')
const CASES_MIN = 60
type Row = Record<'tried' | 'title' | 'file', string>
const ROW = /^\| (?<tried>.+?) \| `(?<title>.+)` \| `(?<file>.+)` \|$/

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8')
const sections = read('docs/abuse-cases.md').split(/^## /m).slice(1)
const rowsOf = (section: string) =>
  section.split('\n').flatMap((line) => [ROW.exec(line)?.groups as Row | undefined].filter((row) => row !== undefined))

for (const section of sections) {
  describe(section.split('\n', 1)[0] as string, () => {
    for (const { tried, title, file } of rowsOf(section)) {
      test(`${tried}: ${title}`, () => {
        assert.ok(existsSync(join(ROOT, file)), `${file} is not there`)
        assert.ok(isRun(file), `${file} is run by no test`)
        assert.ok(hasTitle(read(file), title), `${file} has no test of this title`)
      })
    }
  })
}

test(`there are at least ${CASES_MIN} cases, and no line of the tables is lost`, () => {
  const lines = sections.flatMap((section) => section.split('\n')).filter((line) => /^\| (?!tried )/.test(line))
  assert.ok(lines.length >= CASES_MIN, `${lines.length} cases`)
  assert.equal(sections.flatMap(rowsOf).length, lines.length)
})

test('a title that nobody has is noticed', () => {
  assert.ok(hasTitle("test('a title', () => {})", 'a title'))
  assert.ok(!hasTitle("test('another title', () => {}) // a title", 'a title'))
})

/** A title of a test, or a row of a table from which tests are made. */
function hasTitle(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) => {
    const literal = quote + title + quote
    const after = source[source.indexOf(literal) + literal.length]
    return source.includes(literal) && (after === ',' || after === ':')
  })
}

/** A suite is run by a test beside it. */
function isRun(file: string): boolean {
  if (file.endsWith('.test.ts')) return true
  const beside = globSync(join(dirname(file), '*.test.ts'), { cwd: ROOT })
  return beside.some((path) => read(path).includes(`'./${basename(file)}'`))
}
