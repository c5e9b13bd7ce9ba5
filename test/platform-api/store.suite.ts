import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { expect, type House } from './house.ts'

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')
const animals = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ name: `Pup ${from + at}`, categoryId: (from + at) % 3 }))

export function storeGuarantees(house: () => House): void {
  describe('a file whose rows are sent part by part', () => {
    test('is stored once, whatever is sent twice, at the same time or out of turn, and noted once', async () => {
      const { slug, owner } = await house().project()
      const at = `/projects/${slug}/environments/staging/imports/${hashOf('one')}`
      const begun = { rows: 0, animals: 0, finishedAt: null }
      assert.deepEqual(expect(200, await owner.browser.get(at)), begun)
      const first = { after: 0, through: 3, animals: animals(3), last: false }
      const sent = await Promise.all([1, 2, 3].map(() => owner.browser.post(at, first)))
      for (const answer of sent) assert.deepEqual(expect(200, answer), { rows: 3, animals: 3, finishedAt: null })
      const early = { after: 7, through: 9, animals: animals(2, 7), last: true }
      assert.equal(expect(200, await owner.browser.post(at, early)).rows, 3)
      // One row of the file was refused, and stands among those that are done with all the same.
      const second = { after: 3, through: 6, animals: animals(2, 3), last: true }
      const ended = await Promise.all([1, 2].map(() => owner.browser.post(at, second)))
      for (const answer of ended) {
        const { finishedAt, ...rest } = expect(200, answer)
        assert.deepEqual(rest, { rows: 6, animals: 5 })
        assert.ok(finishedAt)
      }
      expect(200, await owner.browser.post(at, { ...second, after: 6, through: 8 }))
      assert.equal(expect(200, await owner.browser.get(`/projects/${slug}/environments/staging/pets`)).length, 5)
      assert.equal(expect(200, await owner.browser.get(`/projects/${slug}/environments/production/pets`)).length, 0)
      const noted = expect(200, await owner.browser.get(`/projects/${slug}/audit?about=pet`))
      assert.deepEqual(
        noted.map(({ verb, subject }: { verb: string; subject: string }) => [verb, subject]),
        [['pet.import', '5 animals']],
      )
    })

    test('follows the rules of every animal, and a bad row leaves nothing of its part behind', async () => {
      const { slug, owner } = await house().project()
      const at = `/projects/${slug}/environments/production/imports`
      const bad = { after: 0, through: 2, animals: [{ name: 'Rex', categoryId: 1 }, { name: ' ' }], last: true }
      const refused = expect(400, await owner.browser.post(`${at}/${hashOf('two')}`, bad))
      assert.match(refused.message, /animals\[1\]\.name must be 1 to 255.*animals\[1\]\.categoryId is required/)
      expect(400, await owner.browser.post(`${at}/${hashOf('two')}`, { ...bad, animals: [], through: 0 }))
      expect(404, await owner.browser.post(`${at}/other`, { ...bad, animals: [] }))
      assert.equal(expect(200, await owner.browser.get(`${at}/${hashOf('two')}`)).rows, 0)
      assert.deepEqual(expect(200, await owner.browser.get(`/projects/${slug}/environments/production/pets`)), [])
      const viewer = await house().member(owner, slug, 'viewer')
      expect(403, await viewer.browser.post(`${at}/${hashOf('two')}`, { ...bad, animals: [] }))
    })
  })

  test('a count is that of the list with the same filters', async () => {
    const { slug, owner } = await house().project()
    const store = `/projects/${slug}/environments/production`
    const at = `${store}/imports/${hashOf('three')}`
    const statuses = ['available', 'available', 'sold']
    const rows = animals(30).map((pet, index) => ({ ...pet, status: statuses[index % 3] }))
    expect(200, await owner.browser.post(at, { after: 0, through: 30, animals: rows, last: true }))
    const [one, two] = expect(200, await owner.browser.get(`${store}/pets?limit=2&status=available`))
    expect(201, await owner.browser.post(`${store}/store/orders`, { petId: one.id }))
    expect(201, await owner.browser.post(`${store}/store/orders`, { petId: two.id }))
    const filters = [
      '',
      'status=sold',
      'q=pUP%202',
      'q=pup%201&status=sold',
      'categoryId=2',
      'categoryId=2&status=sold',
    ]
    filters.push(`id=${one.id}&id=999`, `id=${one.id}&status=sold`, `id=${one.id}&q=pup`, 'categoryId=1&q=pup%201')
    for (const filter of filters) {
      const listed = expect(200, await owner.browser.get(`${store}/pets?limit=100&${filter}`))
      const counted = expect(200, await owner.browser.get(`${store}/counts/pets?${filter}`))
      assert.deepEqual(counted, { count: listed.length, more: false }, filter)
    }
    for (const filter of ['', 'status=placed', 'status=cancelled', `petId=${one.id}`, 'id=1', 'id=999']) {
      const listed = expect(200, await owner.browser.get(`${store}/store/orders?limit=100&${filter}`))
      const counted = expect(200, await owner.browser.get(`${store}/counts/orders?${filter}`))
      assert.deepEqual(counted, { count: listed.length, more: false }, filter)
    }
    expect(400, await owner.browser.get(`${store}/counts/pets?status=gone`))
  })
}
