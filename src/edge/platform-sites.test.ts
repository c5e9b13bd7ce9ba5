import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '../platform/clock.ts'
import { PlatformSites } from './platform-sites.ts'
import type { SiteFile } from './site/site.ts'

const file = (path: string): SiteFile => ({ path, sha256: '0'.repeat(64), encodings: { identity: 1 } })

function openSites() {
  const projects = new Map([
    ['kennel', 1],
    ['cattery', 2],
    ['empty', 3],
  ])
  const active = new Map([
    [1, 10],
    [2, 10],
  ])
  const loads: number[] = []
  const sites = new PlatformSites(
    {
      projectAt: async (slug) => projects.get(slug),
      manifestOf: async (projectId) => active.get(projectId),
      manifestAtPreview: async () => undefined,
      async *filesOf(manifestId) {
        loads.push(manifestId)
        yield [file('index.html')]
        yield [file(`${manifestId}.html`)]
      },
    },
    new ManualClock(0),
  )
  return { sites, projects, active, loads }
}

test('a set of files is loaded once, whoever asks and however many projects show it', async () => {
  const { sites, loads } = openSites()
  const [one, two] = await Promise.all([sites.siteOf(1), sites.siteOf(2)])
  assert.equal(one, two)
  assert.equal(one?.find('10.html'), one?.find('10.html'))
  assert.equal(one?.find('nothing'), undefined)
  assert.equal(sites.siteOf(1), one, 'known sites need no promise')
  assert.deepEqual(loads, [10])
})

test('a project without a deploy has no site, and no project has none either', async () => {
  const { sites } = openSites()
  assert.equal(await sites.projectAt('nobody'), undefined)
  assert.equal(await sites.projectAt('empty'), 3)
  assert.equal(await sites.siteOf(3), undefined)
})

test('an activation counts as soon as it is announced, and a rollback loads nothing again', async () => {
  const { sites, active, loads } = openSites()
  const before = await sites.siteOf(1)
  active.set(1, 11)
  assert.equal(sites.siteOf(1), before)
  sites.forgetProject('1')
  const after = await sites.siteOf(1)
  assert.ok(after?.find('11.html'))
  active.set(1, 10)
  sites.forgetProject('1')
  assert.equal(await sites.siteOf(1), before)
  assert.deepEqual(loads, [10, 11])
})

test('a slug that changes hands leads elsewhere as soon as it is announced', async () => {
  const { sites, projects } = openSites()
  assert.equal(await sites.projectAt('kennel'), 1)
  projects.set('kennel', 2)
  sites.forgetSlug('kennel')
  assert.equal(await sites.projectAt('kennel'), 2)
})
