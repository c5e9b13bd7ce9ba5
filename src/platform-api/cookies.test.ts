import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCookie, signInCookies, signOutCookies } from './cookies.ts'

const opened = {
  account: {
    id: 'acc_1',
    email: 'a@example.com',
    name: 'A',
    operator: false,
    createdAt: '',
    confirmed: true,
    mustConfirm: false,
  },
  token: 'token',
  deviceMark: 'mark',
}

test('over TLS cookies have the __Host- prefix with everything that it asks for', () => {
  for (const line of signInCookies(opened, true)['Set-Cookie']) {
    assert.match(line, /^__Host-petstore_(?:session=token|device=mark); /)
    assert.match(line, /; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+; Secure$/)
    assert.doesNotMatch(line, /Domain/i)
  }
})

test('over plain HTTP they are HttpOnly and SameSite as well, without a prefix that browsers would refuse', () => {
  for (const line of signInCookies(opened, false)['Set-Cookie']) {
    assert.match(line, /^petstore_(?:session=token|device=mark); Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
  }
})

test('a cookie that was set over plain HTTP means nothing over TLS', () => {
  assert.equal(readCookie('petstore_session=planted', 'session', true), undefined)
  assert.equal(readCookie('petstore_session=planted; __Host-petstore_session=mine', 'session', true), 'mine')
  assert.equal(readCookie('xpetstore_session=other; petstore_session = mine ;', 'session', false), 'mine')
  assert.equal(readCookie(undefined, 'session', false), undefined)
})

test('signing out takes the session away and leaves the mark of the device', () => {
  assert.deepEqual(signOutCookies(true)['Set-Cookie'], [
    '__Host-petstore_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0; Secure',
  ])
})
