import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ServiceProcess } from '../harness/service-process.ts'

export interface LimitedDisk extends Disposable {
  readonly kind: 'small disk' | 'file size limit'
  readonly directory: string
  /** What `/readyz` answers while nothing can be written. */
  readonly saysFull: RegExp
  /** What a service on this disk has to be started with. */
  readonly wrapper: readonly string[]
  /** From now on no file can grow. */
  fill(service: ServiceProcess): void
  /** There is room again. */
  free(service: ServiceProcess): void
}

const DISK_BYTES = 8 * 1024 * 1024

/** A disk that a test can fill: a small one where the test may mount it, else a limit on the size of files. */
export function limitedDisk(bytes = DISK_BYTES): LimitedDisk {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-disk-'))
  return mountSmallDisk(directory, bytes) ? smallDisk(directory) : fileSizeLimit(directory)
}

function mountSmallDisk(directory: string, bytes: number): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', directory], { stdio: 'ignore' })
    return true
  } catch {
    // Root in a container may not mount.
    return false
  }
}

function smallDisk(mountPoint: string): LimitedDisk {
  const ballast = join(mountPoint, 'ballast')
  const directory = join(mountPoint, 'data')
  mkdirSync(directory)
  const unmount = () => {
    execFileSync('umount', ['-l', mountPoint])
    rmSync(mountPoint, { recursive: true, force: true })
  }
  process.once('exit', unmount)
  return {
    kind: 'small disk',
    directory,
    saysFull: /^The database cannot be written: database or disk is full\.$/m,
    wrapper: [],
    fill() {
      for (const bytes of [1024 * 1024, 4096]) growUntilFull(ballast, Buffer.alloc(bytes))
    },
    free: () => rmSync(ballast),
    [Symbol.dispose]() {
      process.off('exit', unmount)
      unmount()
    },
  }
}

/** The service writes meanwhile, so that nobody knows beforehand how much there is room for. */
function growUntilFull(file: string, piece: Buffer): void {
  try {
    for (;;) appendFileSync(file, piece)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}

/** The kernel refuses to let any file grow beyond the limit; the limit of a running process can be moved. */
function fileSizeLimit(directory: string): LimitedDisk {
  return {
    kind: 'file size limit',
    directory,
    saysFull: /^The database cannot be written: /,
    // The hard limit stays as it is, so that the soft one can be taken back.
    wrapper: ['sh', '-c', 'ulimit -S -f 4096; exec "$@"', 'sh'],
    fill: (service) => limitFiles(service, '4096'),
    free: (service) => limitFiles(service, 'unlimited'),
    [Symbol.dispose]: () => rmSync(directory, { recursive: true, force: true }),
  }
}

function limitFiles({ pid }: ServiceProcess, bytes: string): void {
  execFileSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`])
}
