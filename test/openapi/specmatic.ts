import { execFileSync, spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const VERSION = '2.55.1'
const SHA512 = '4eLDvZrO2EwCO/Jm1+5ejh6KtxaZ7yot5A4uRrN5Yuf5424qPHqZ3ktbkT83hwLtPAPFSxCQgfYiHRvGe40cpQ=='
/** 85 MB that nothing else needs: fetched once, kept beside the project's other caches, never installed with it. */
const CACHE = fileURLToPath(new URL('../../.cache/specmatic', import.meta.url))

/** It runs for less than a minute: better compiled code would come too late, and took 21 of 57 seconds to make. */
const QUICK = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC']

/** A document, and the service that it is about. */
interface Contract {
  file: string
  baseUrl: string
  /** Whether requests are generated from the document, good and bad ones, or only the given examples are sent. */
  isGenerative: boolean
}

export interface SpecmaticRun {
  contracts: Contract[]
  /** Of the documents that have a scheme `bearerAuth`. */
  key: string
  /** Where the documents are, and where it may leave its reports. */
  directory: string
  timeoutMs: number
}

export interface SpecmaticOutcome {
  exitCode: number | null
  output: string
  tests: number
  failures: number
}

/** Makes requests by the documents, and judges every answer by them. */
export async function runSpecmatic({ contracts, key, directory, timeoutMs }: SpecmaticRun): Promise<SpecmaticOutcome> {
  const [java, jar] = [findJava(), fetchSpecmatic()]
  writeFileSync(join(directory, 'specmatic.json'), settings(contracts))
  const child = spawn(java, [...QUICK, '-jar', jar, 'test'], {
    cwd: directory,
    // The bearer key is looked for under the name of the security scheme.
    env: { ...process.env, bearerAuth: key },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text))
  const [exitCode] = (await once(child, 'close')) as [number | null]
  const summary = /Tests run: (\d+), Successes: \d+, Failures: (\d+)/.exec(output)
  return { exitCode, output, tests: Number(summary?.[1] ?? 0), failures: Number(summary?.[2] ?? 0) }
}

function settings(contracts: Contract[]): string {
  const provides = contracts.map(({ file, baseUrl, isGenerative }) => {
    return { specs: [basename(file)], baseUrl, resiliencyTests: { enable: isGenerative ? 'all' : 'none' } }
  })
  return JSON.stringify({ version: 2, contracts: [{ provides }] })
}

/** The reasons of the failed tests, as Specmatic prints them after the last request. */
export function failuresIn(output: string): string {
  const start = output.search(/Unsuccessful Scenarios/i)
  return (start === -1 ? output : output.slice(start)).slice(0, 20_000)
}

/** Java 17 or later: the one that is there, or Debian's where this user may install it. */
function findJava(): string {
  const candidates = [process.env.JAVA_HOME && join(process.env.JAVA_HOME, 'bin', 'java'), 'java']
  const found = candidates.find((command) => command && works(command))
  if (found) return found
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    execFileSync('apt-get', ['update', '-q'], { stdio: 'ignore' })
    execFileSync('apt-get', ['install', '-qy', '--no-install-recommends', 'default-jre-headless'], { stdio: 'ignore' })
    if (works('java')) return 'java'
  }
  throw new Error('Specmatic needs Java 17 or later. Install a JRE (Debian: default-jre-headless), or set JAVA_HOME.')
}

function works(command: string): boolean {
  try {
    execFileSync(command, ['-version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The jar out of the npm package `specmatic`, checked against the version that this test was written for. */
function fetchSpecmatic(): string {
  const jar = join(CACHE, `specmatic-${VERSION}.jar`)
  if (existsSync(jar)) return jar
  mkdirSync(CACHE, { recursive: true })
  const scratch = mkdtempSync(join(CACHE, 'fetch-'))
  try {
    const archive = join(scratch, `specmatic-${VERSION}.tgz`)
    try {
      execFileSync('npm', ['pack', `specmatic@${VERSION}`, '--silent', '--pack-destination', scratch], { cwd: scratch })
    } catch (error) {
      throw new Error(`The npm package specmatic@${VERSION} could not be fetched: is the registry reachable?`, {
        cause: error,
      })
    }
    if (hash('sha512', readFileSync(archive), 'base64') !== SHA512) {
      throw new Error(`specmatic ${VERSION} is not the package that it was: its contents have changed.`)
    }
    execFileSync('tar', ['-xzf', archive, '-C', scratch, 'package/specmatic.jar'])
    renameSync(join(scratch, 'package', 'specmatic.jar'), jar)
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
  return jar
}
