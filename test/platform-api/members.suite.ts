import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { countOwnedProjects, findShareHolder } from '../../src/features/accounts/queries.ts'
import { findProjectBySlug } from '../../src/features/projects/queries.ts'
import { expect, type House, type Person, tokenOf } from './house.ts'

/** Who may be in a project, and what they are there. */
export function memberGuarantees(house: () => House): void {
  const idOf = async ({ email }: Person, asker: Person, project: string): Promise<string> => {
    const members = expect(200, await asker.browser.get(`/projects/${project}/members`))
    return members.find((member: { email: string }) => member.email === email).id
  }

  describe('members', () => {
    test('the last owner can neither leave nor become less, until there is another', async () => {
      const { slug, owner } = await house().project()
      const editor = await house().member(owner, slug, 'editor')
      const ownId = await idOf(owner, owner, slug)
      assert.match(expect(409, await owner.browser.post(`/projects/${slug}/leave`)).message, /last owner cannot leave/)
      expect(409, await owner.browser.patch(`/projects/${slug}/members/${ownId}`, { role: 'editor' }))
      expect(409, await owner.browser.delete(`/projects/${slug}/members/${ownId}`))

      const editorId = await idOf(editor, owner, slug)
      expect(204, await owner.browser.patch(`/projects/${slug}/members/${editorId}`, { role: 'owner' }))
      expect(204, await owner.browser.post(`/projects/${slug}/leave`))
      expect(404, await owner.browser.get(`/projects/${slug}`))
      expect(409, await editor.browser.post(`/projects/${slug}/leave`))
    })

    test('two owners who demote each other at once leave one owner', async () => {
      const { slug, owner } = await house().project()
      const other = await house().member(owner, slug, 'owner')
      const [ownId, otherId] = [await idOf(owner, owner, slug), await idOf(other, owner, slug)]
      const answers = await Promise.all([
        owner.browser.patch(`/projects/${slug}/members/${otherId}`, { role: 'viewer' }),
        other.browser.patch(`/projects/${slug}/members/${ownId}`, { role: 'viewer' }),
      ])
      const statuses = answers.map(({ status }) => status).sort()
      assert.ok(['204,409', '204,403'].includes(statuses.join(',')), statuses.join(','))
      const asker = answers[0]?.status === 204 ? owner : other
      const members = expect(200, await asker.browser.get(`/projects/${slug}/members`))
      assert.deepEqual(members.map((member: { role: string }) => member.role).sort(), ['owner', 'viewer'])
    })

    test('nobody promotes themselves', async () => {
      const { slug, owner } = await house().project()
      for (const role of ['viewer', 'editor']) {
        const member = await house().member(owner, slug, role)
        const id = await idOf(member, owner, slug)
        expect(403, await member.browser.patch(`/projects/${slug}/members/${id}`, { role: 'owner' }))
        expect(403, await member.browser.post(`/projects/${slug}/invitations`, { role: 'owner' }))
        expect(404, await member.browser.get('/projects/petstore/members'))
      }
    })

    test('whoever is removed is out on the next request, and so are the invitations that they made', async () => {
      const { slug, owner } = await house().project()
      const other = await house().member(owner, slug, 'owner')
      const { link } = expect(201, await other.browser.post(`/projects/${slug}/invitations`, { role: 'owner' }))
      expect(204, await owner.browser.delete(`/projects/${slug}/members/${await idOf(other, owner, slug)}`))
      expect(404, await other.browser.get(`/projects/${slug}`))
      expect(410, await other.browser.post('/invitations/accept', { token: tokenOf(link) }))
      assert.deepEqual(expect(200, await owner.browser.get(`/projects/${slug}/invitations`)), [])
    })
  })

  test('whoever is made an owner unasked has their own share and number of projects for themselves', async () => {
    const { slug, owner } = await house().project()
    const { read } = house().shop.petstore.storage
    const { id: projectId } = (await findProjectBySlug(read, slug))!
    const [given, asked] = [await house().member(owner, slug, 'viewer'), await house().member(owner, slug, 'owner')]
    const accountOf = (each: Person) => idOf(each, owner, slug)
    const [ownerId, givenId, askedId] = [await accountOf(owner), await accountOf(given), await accountOf(asked)]
    const change = (id: string, role: string) =>
      asked.browser.patch(`/projects/${slug}/members/${id}`, { role }).then((answer) => expect(204, answer))
    await change(givenId, 'owner')
    assert.ok([ownerId, askedId].includes(await findShareHolder(read, projectId)))
    expect(204, await owner.browser.post(`/projects/${slug}/leave`))
    assert.equal(await findShareHolder(read, projectId), askedId, 'who came later, and chose to own it')
    assert.deepEqual([await countOwnedProjects(read, givenId), await countOwnedProjects(read, askedId)], [0, 1])
    await change(askedId, 'editor')
    assert.equal(await findShareHolder(read, projectId), `given to ${givenId}`)
  })

  describe('keys', () => {
    const make = async ({ browser }: Person, slug: string) =>
      expect(201, await browser.post(`/projects/${slug}/keys`, { environment: 'production' }))
    const answerTo = async (key: string) => {
      const { baseUrl } = house().shop.config
      return (await fetch(new URL('/v1/pets', baseUrl), { headers: { authorization: `Bearer ${key}` } })).status
    }
    const makers = async ({ browser }: Person, slug: string) =>
      expect(200, await browser.get(`/projects/${slug}/keys`)).map(
        ({ madeBy, state }: { madeBy: { email: string } | null; state: string }) => `${madeBy?.email} ${state}`,
      )

    test('name their maker, and end with the membership', async () => {
      const { slug, owner } = await house().project()
      const editor = await house().member(owner, slug, 'editor')
      const [own, { key, madeBy, id }] = [await make(owner, slug), await make(editor, slug)]
      assert.equal(madeBy.email, editor.email)
      const rotated = expect(201, await editor.browser.post(`/projects/${slug}/keys/${id}/rotate`, {}))
      assert.equal(rotated.madeBy.email, editor.email)
      assert.equal(await answerTo(key), 200)
      expect(204, await owner.browser.delete(`/projects/${slug}/members/${await idOf(editor, owner, slug)}`))
      for (const ended of [key, rotated.key]) assert.equal(await answerTo(ended), 401)
      assert.equal(await answerTo(own.key), 200)
      const named = await makers(owner, slug)
      assert.deepEqual(
        named.toSorted(),
        [`${owner.email} active`, `${editor.email} revoked`, `${editor.email} revoked`].toSorted(),
      )
    })

    test('go on when another member takes them over, who must be able to make keys', async () => {
      const { slug, owner } = await house().project()
      const [editor, viewer] = [
        await house().member(owner, slug, 'editor'),
        await house().member(owner, slug, 'viewer'),
      ]
      const { key } = await make(editor, slug)
      const [editorId, viewerId] = [await idOf(editor, owner, slug), await idOf(viewer, owner, slug)]
      const remove = (taker: string) =>
        owner.browser.delete(`/projects/${slug}/members/${editorId}?keysTo=${encodeURIComponent(taker)}`)
      for (const taker of [viewerId, editorId, 'acc_nobody', '']) expect(400, await remove(taker))
      expect(204, await remove(await idOf(owner, owner, slug)))
      assert.equal(await answerTo(key), 200)
      assert.deepEqual(await makers(owner, slug), [`${owner.email} active`])
    })

    test('of somebody who becomes a viewer end too, unless another member takes them over', async () => {
      const { slug, owner } = await house().project()
      const [one, two] = [await house().member(owner, slug, 'owner'), await house().member(owner, slug, 'editor')]
      const [ended, kept] = [await make(one, slug), await make(two, slug)]
      const id = (each: Person) => idOf(each, owner, slug)
      const [ownerId, oneId, twoId] = [await id(owner), await id(one), await id(two)]
      const change = (id: string, role: string, search = '') =>
        owner.browser.patch(`/projects/${slug}/members/${id}${search}`, { role })
      expect(204, await change(oneId, 'editor'))
      assert.equal(await answerTo(ended.key), 200, 'an editor may make keys')
      assert.match(expect(400, await change(twoId, 'viewer', `?keysTo=${twoId}`)).message, /keysTo must be another/)
      expect(204, await change(oneId, 'viewer'))
      expect(204, await change(twoId, 'viewer', `?keysTo=${ownerId}`))
      assert.deepEqual([await answerTo(ended.key), await answerTo(kept.key)], [401, 200])
      assert.deepEqual(
        (await makers(owner, slug)).toSorted(),
        [`${one.email} revoked`, `${owner.email} active`].toSorted(),
      )
    })

    test('of somebody who leaves end too, and none is made by a request that was on its way', async () => {
      const { slug, owner } = await house().project()
      const editor = await house().member(owner, slug, 'editor')
      const { key } = await make(editor, slug)
      const body = { environment: 'production' }
      const making = Array.from({ length: 5 }, () => editor.browser.post(`/projects/${slug}/keys`, body))
      await Promise.all([...making, editor.browser.post(`/projects/${slug}/leave`)])
      assert.equal(await answerTo(key), 401)
      const left = await makers(owner, slug)
      assert.ok(
        left.every((each: string) => each.endsWith('revoked')),
        left.join(),
      )
    })
  })

  describe('somebody who is no owner any more', () => {
    test('has no way back: the invitations that they made are gone', async () => {
      const { slug, owner } = await house().project()
      const other = await house().member(owner, slug, 'owner')
      const { link } = expect(201, await other.browser.post(`/projects/${slug}/invitations`, { role: 'owner' }))
      const kept = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'viewer' }))
      const otherId = await idOf(other, owner, slug)
      expect(204, await owner.browser.patch(`/projects/${slug}/members/${otherId}`, { role: 'editor' }))
      const guest = await house().person()
      expect(410, await guest.browser.post('/invitations/accept', { token: tokenOf(link) }))
      const open = expect(200, await owner.browser.get(`/projects/${slug}/invitations`))
      assert.deepEqual(
        open.map(({ id }: { id: string }) => id),
        [kept.id],
      )
    })

    test('makes none with a request that was on its way', async () => {
      const { slug, owner } = await house().project()
      const other = await house().member(owner, slug, 'owner')
      const otherId = await idOf(other, owner, slug)
      const invitations = Array.from({ length: 5 }, () =>
        other.browser.post(`/projects/${slug}/invitations`, { role: 'owner' }),
      )
      await Promise.all([
        ...invitations,
        owner.browser.patch(`/projects/${slug}/members/${otherId}`, { role: 'editor' }),
      ])
      assert.deepEqual(expect(200, await owner.browser.get(`/projects/${slug}/invitations`)), [])
    })
  })

  describe('an invitation', () => {
    test('is accepted by an account that exists, once', async () => {
      const { slug, owner } = await house().project()
      const { link } = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'editor' }))
      const [guest, late] = [await house().person(), await house().person()]
      expect(409, await owner.browser.post('/invitations/accept', { token: tokenOf(link) }))
      const accepted = expect(200, await guest.browser.post('/invitations/accept', { token: tokenOf(link) }))
      assert.deepEqual(accepted, { project: { slug, name: slug } })
      expect(410, await late.browser.post('/invitations/accept', { token: tokenOf(link) }))
      assert.equal(expect(200, await guest.browser.get(`/projects/${slug}`)).role, 'editor')
    })

    test('has one winner among accounts that accept it at once', async () => {
      const { slug, owner } = await house().project()
      const { link } = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'editor' }))
      const guests = await Promise.all([house().person(), house().person(), house().person()])
      const body = { token: tokenOf(link) }
      const answers = await Promise.all(guests.map(({ browser }) => browser.post('/invitations/accept', body)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410])
    })

    test('shows its link once, can be listed and withdrawn', async () => {
      const { slug, owner } = await house().project()
      const body = { role: 'viewer', email: 'A@Example.com' }
      const { link, id } = expect(201, await owner.browser.post(`/projects/${slug}/invitations`, body))
      const listed = await owner.browser.get(`/projects/${slug}/invitations`)
      const [open, ...others] = expect(200, listed)
      assert.deepEqual([open.id, open.email, others], [id, 'a@example.com', []])
      assert.ok(!listed.text.includes(tokenOf(link)))
      expect(204, await owner.browser.delete(`/projects/${slug}/invitations/${id}`))
      expect(404, await owner.browser.delete(`/projects/${slug}/invitations/${id}`))
      expect(
        410,
        await house()
          .browser()
          .post('/links/inspect', { token: tokenOf(link) }),
      )
    })
  })
}
