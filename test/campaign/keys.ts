import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import type { ServiceProcess } from '../harness/service-process.ts'
import { ask } from './ask.ts'
import type { History } from './history.ts'
import type { Random } from './random.ts'

const COMMAND = fileURLToPath(new URL('../../bin/petstore.js', import.meta.url))
const USED_ON_FOR_MS = 7000

interface KeyNeeds {
  readonly instances: readonly ServiceProcess[]
  readonly history: History
  readonly random: Random
  /** Where the command line finds the database, whatever stands between it and the instances. */
  readonly environment: () => Record<string, string>
  readonly hasEnded: () => boolean
}

/** Makes keys, uses each at every instance, revokes it beside them, and goes on using it for a while. */
export async function runKeys(needs: KeyNeeds): Promise<void> {
  const { history, random, hasEnded } = needs
  for (let key = 0; !hasEnded(); key++) {
    const made = await petstore(needs, ['create', '--name', `campaign ${key}`, ...PROJECT])
    if (!made) continue
    const { id, key: secret } = JSON.parse(made) as { id: string; key: string }
    const use = { isOver: false }
    const users = needs.instances.map((service) => useKey(service, history, key, secret, use))
    await wait(500 + random.below(1500))
    const start = performance.now()
    history.revocations.set(key, { start, end: Infinity })
    let revoked = await petstore(needs, ['revoke', id, ...PROJECT])
    while (revoked === undefined && !hasEnded()) revoked = await petstore(needs, ['revoke', id, ...PROJECT])
    if (revoked !== undefined) history.revocations.set(key, { start, end: performance.now() })
    await wait(USED_ON_FOR_MS)
    use.isOver = true
    await Promise.all(users)
  }
}

const PROJECT = ['--project', 'petstore', '--environment', 'production', '--json']

async function useKey(
  service: ServiceProcess,
  history: History,
  key: number,
  secret: string,
  use: { isOver: boolean },
): Promise<void> {
  while (!use.isOver) {
    const answer = await ask(service, 'production', '/pets?limit=1', { key: secret })
    if (answer?.status === 200 || answer?.status === 401)
      history.keyUses.push({ key, accepted: answer.status === 200, start: answer.start, end: answer.end })
    await wait(25)
  }
}

/** What the command printed, or undefined when the database could not be asked. */
async function petstore({ environment }: KeyNeeds, words: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [COMMAND, 'keys', ...words], {
      env: { ...process.env, ...environment() },
    })
    return stdout
  } catch {
    return undefined
  }
}
