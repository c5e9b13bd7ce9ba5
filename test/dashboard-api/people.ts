import assert from 'node:assert/strict'
import type { TestPetstore } from '../harness/petstore.ts'
import { Browser } from './browser.ts'

export const PASSWORD = 'correct horse battery'

/** The first owner, through the link that the first start gives out. */
export async function signUpOwner(shop: TestPetstore, email = 'owner@example.com'): Promise<Browser> {
  const browser = new Browser(shop)
  await signUpWith(browser, shop.petstore.ownerLink as string, email)
  return browser
}

/** A new account in a role of a project, through an invitation of one of its owners. */
export async function join(shop: TestPetstore, owner: Browser, role: string, project = 'petstore'): Promise<Browser> {
  const invitation = await owner.post(`/projects/${project}/invitations`, { role })
  assert.equal(invitation.status, 201, invitation.text)
  const browser = new Browser(shop)
  await signUpWith(browser, invitation.json.link, `${role}-${++people}@example.com`)
  return browser
}

/** A new account with a project of its own, and nothing to do with any other. */
export async function stranger(shop: TestPetstore, operator: Browser, project = 'elsewhere'): Promise<Browser> {
  const invitation = await operator.post('/operator/invitations')
  const browser = new Browser(shop)
  await signUpWith(browser, invitation.json.link, `stranger-${++people}@example.com`)
  const created = await browser.post('/projects', { slug: project })
  assert.equal(created.status, 201, created.text)
  return browser
}

export async function signUpWith(browser: Browser, link: string, email: string): Promise<void> {
  const signedUp = await browser.post('/sign-up', { token: tokenOf(link), email, name: 'Somebody', password: PASSWORD })
  assert.equal(signedUp.status, 201, signedUp.text)
}

export const tokenOf = (link: string) => link.split('#')[1] as string

let people = 0
