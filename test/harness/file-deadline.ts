import { ChildProcess } from 'node:child_process'
import { Socket as UdpSocket } from 'node:dgram'
import { writeSync } from 'node:fs'
import { Server, Socket } from 'node:net'
import { after, afterEach, beforeEach } from 'node:test'
import { inspect } from 'node:util'
import { Worker } from 'node:worker_threads'

export interface FileDeadlines {
  /** For all tests of the file. */
  testsMaxMs: number
  /** For a loop that never returns, in which no timer of its own thread runs. */
  loopMaxMs: number
  /** For the process to end by itself once they are done: longer only when something was left open. */
  endMaxMs: number
}

/** Ends this process of one test file with what it was at, instead of letting it keep the whole suite. */
export function watchFile({ testsMaxMs, endMaxMs, loopMaxMs }: FileDeadlines): void {
  const running = new Set<string>()
  const loopWatch = new Worker(LOOP_WATCH, {
    eval: true,
    execArgv: [],
    workerData: { loopMaxMs, file: process.argv[1] },
  })
  loopWatch.unref()
  beforeEach((t) => {
    running.add(nameOf(t))
    loopWatch.postMessage(nameOf(t))
  })
  afterEach((t) => void running.delete(nameOf(t)))

  const file = process.argv[1]
  const tests = () => (running.size === 0 ? ['no test'] : [...running])
  const giveUp = (sentence: string) => {
    // Not through a stream, which the exit would cut off.
    writeSync(2, [`${file} ${sentence}`, 'Running:', ...tests(), 'Open:', ...openHandles(), ''].join('\n  '))
    process.exit(1)
  }
  // The runner fails the file then, and tells neither the test nor the place.
  const tell = (error: unknown) =>
    writeSync(2, [`${file} has an error that nobody caught.`, 'Running:', ...tests(), inspect(error), ''].join('\n  '))
  process.on('uncaughtExceptionMonitor', tell)
  process.on('unhandledRejection', tell)
  setInterval(() => loopWatch.postMessage(null), 1000).unref()
  const late = setTimeout(giveUp, testsMaxMs, `was not done after ${testsMaxMs / 1000} s.`).unref()
  after(() => {
    clearTimeout(late)
    setTimeout(giveUp, endMaxMs, `had not ended ${endMaxMs / 1000} s after its tests.`).unref()
  })
}

/** Runs in a thread of its own. As long as the other one turns, it hears of it every second. */
const LOOP_WATCH = `
const { parentPort, workerData } = require('node:worker_threads')
let last = 'no test'
const end = () => {
  const lines = [workerData.file + ' is in a loop that does not return.', 'Running:', last, '']
  require('node:fs').writeSync(2, lines.join('\\n  '))
  process.kill(process.pid, 'SIGKILL')
}
const late = setTimeout(end, workerData.loopMaxMs)
parentPort.on('message', (name) => {
  if (name !== null) last = name
  late.refresh()
})`

const nameOf = (test: object) => ('fullName' in test ? String(test.fullName) : 'a test')

/** Sockets, servers and processes one by one; of timers and the rest only the kinds are known. */
function openHandles(): string[] {
  const handles = (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles()
  return [...handles.map(describe).filter((line) => line !== undefined), process.getActiveResourcesInfo().join(', ')]
}

function describe(handle: unknown): string | undefined {
  if (handle instanceof UdpSocket) return `UDP socket at ${addressOf(handle.address())}`
  if (handle instanceof Server) return `server at ${addressOf(handle.address())}`
  if (handle instanceof ChildProcess) return `process ${handle.pid}: ${handle.spawnargs.join(' ')}`
  if (!(handle instanceof Socket) || handle.remotePort === undefined) return undefined
  return `connection from port ${handle.localPort} to ${handle.remoteAddress}:${handle.remotePort}`
}

function addressOf(address: ReturnType<Server['address']>): string {
  return address !== null && typeof address === 'object' ? `${address.address}:${address.port}` : String(address)
}
