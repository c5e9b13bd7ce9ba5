/**
 * Runs a command as on a host that takes the whole machine away now and then: everything that it starts stands still
 * for up to three seconds, again and again, and all of it at once. Limits by the wall that are shorter than that, in
 * the service or in its tests, show themselves. Linux, as root: `node scripts/with-stalls.ts npm test`.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'

const RUNS_MS = [500, 2500] as const
const STANDS_MS = [400, 3400] as const

const group = openGroup()
const command = process.argv.slice(2)
const child = spawn('sh', ['-c', 'echo $$ > "$0/cgroup.procs" && exec "$@"', group.path, ...command], {
  stdio: 'inherit',
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
const ended = new AbortController()
const exit = once(child, 'exit').finally(() => ended.abort())
while (!ended.signal.aborted) {
  await wait(between(RUNS_MS), undefined, ended).catch(() => {})
  if (ended.signal.aborted) break
  group.freeze()
  await wait(between(STANDS_MS))
  group.thaw()
}
const [code] = await exit
group.close()
process.exitCode = code ?? 1

function between([least, most]: readonly [number, number]): number {
  return least + Math.random() * (most - least)
}

/** Of either version of Linux's control groups. */
function openGroup() {
  const isFirst = existsSync('/sys/fs/cgroup/freezer')
  const path = `/sys/fs/cgroup/${isFirst ? 'freezer/' : ''}petstore-${process.pid}`
  const [file, frozen, thawed] = isFirst ? ['freezer.state', 'FROZEN', 'THAWED'] : ['cgroup.freeze', '1', '0']
  mkdirSync(path)
  return {
    path,
    freeze: () => writeFileSync(`${path}/${file}`, frozen),
    thaw: () => writeFileSync(`${path}/${file}`, thawed),
    close() {
      try {
        rmdirSync(path)
      } catch {
        console.error(`Something that the command started is still running, in ${path}.`)
      }
    },
  }
}
