import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { GUIDE_FILE, guideWithProblems } from '../../scripts/domain-guide.ts'
import { PROBLEM_CODES } from '../../src/features/domains/diagnosis/problems.ts'

const page = readFileSync(GUIDE_FILE, 'utf8')

test('the guide lists the problems as the service words them', () => {
  assert.equal(page, guideWithProblems(page), 'run npm run domains:guide')
})

test('the guide has an entry for every problem code, once', () => {
  for (const code of PROBLEM_CODES) {
    assert.equal(page.split(`\n#### \`${code}\`\n`).length - 1, 1, `entries for ${code}`)
  }
})

test('what was written by hand survives, and a list that is out of date is noticed', () => {
  const outOfDate = page.replace('#### `record_missing`', '#### `record_forgotten`')
  assert.notEqual(outOfDate, page)
  assert.equal(guideWithProblems(outOfDate), page)
  assert.throws(() => guideWithProblems('# A page without the marks'), /must have the lines/)
})

test('every picture, page and heading that the guide leads to is there', () => {
  const headings = new Set(Array.from(page.matchAll(/^#+ (.+)$/gm), ([, heading]) => anchorOf(heading as string)))
  const links = [...page.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link as string)
  assert.ok(links.length > 10)
  for (const link of links) {
    if (/^https?:/.test(link)) continue
    if (link.startsWith('#')) assert.ok(headings.has(link.slice(1)), `no heading for ${link}`)
    else assert.ok(existsSync(join(dirname(GUIDE_FILE), link.replace(/#.*/, ''))), `no file for ${link}`)
  }
})

/** As Markdown viewers make them. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
