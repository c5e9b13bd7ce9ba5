import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'

describe('a room', () => {
  test('a test that throws elsewhere', async () => {
    setTimeout(() => {
      throw new Error('elsewhere')
    })
    await wait(50)
  })

  test('a test that forgets a promise', async () => {
    void Promise.reject(new Error('forgotten'))
    await wait(50)
  })
})
