import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'

/** Where Debian puts what only root has on the PATH. */
const PGBOUNCER = '/usr/sbin/pgbouncer'

/**
 * What the tests use that npm cannot bring: a real ACME server, a real browser, Java for the contract test, curl and
 * Python for the guides, shells that complete commands, readers of the service files, a scanner of TLS servers, a
 * tracer that lets system calls fail.
 */
const PROGRAMS = [
  { name: 'pebble', debian: 'pebble', found: () => runs('pebble', '-version') },
  {
    name: 'Chromium',
    debian: 'chromium-headless-shell',
    found: () =>
      Boolean(process.env.CHROMIUM_PATH) ||
      runs('chromium-headless-shell', '--version') ||
      runs('chromium', '--version'),
  },
  { name: 'curl', debian: 'curl', found: () => runs('curl', '--version') },
  { name: 'dig', debian: 'bind9-dnsutils', found: () => runs('dig', '-v') },
  { name: 'kdig', debian: 'knot-dnsutils', found: () => runs('kdig', '--version') },
  { name: 'zsh', debian: 'zsh', found: () => runs('zsh', '--version') },
  { name: 'fish', debian: 'fish', found: () => runs('fish', '--version') },
  { name: 'Python', debian: 'python3', found: () => runs('python3', '--version') },
  { name: 'Java', debian: 'default-jre-headless', found: () => runs('java', '-version') },
  { name: 'docker-compose', debian: 'docker-compose', found: () => runs('docker-compose', '--version') },
  {
    name: 'systemd-analyze',
    debian: 'systemd',
    found: () => process.platform !== 'linux' || runs('systemd-analyze', '--version'),
  },
  {
    name: 'strace',
    debian: 'strace',
    found: () => process.platform !== 'linux' || runs('strace', '--version'),
  },
  { name: 'PgBouncer', debian: 'pgbouncer', found: () => existsSync(PGBOUNCER) || runs('pgbouncer', '--version') },
  { name: 'testssl.sh', debian: 'testssl.sh', found: () => runs('testssl', '--help') },
]

/** Installs what is missing where it can (root on Debian), and otherwise says what to install. */
export function requireSystemPrograms(): void {
  const missing = PROGRAMS.filter((program) => !program.found())
  if (missing.length === 0) return
  const packages = missing.map((program) => program.debian)
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.log(`Installing for the tests: ${packages.join(', ')}`)
    const options = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    execFileSync('apt-get', ['update', '-qq'], options)
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], options)
  }
  const still = missing.filter((program) => !program.found())
  if (still.length === 0) return
  console.error(
    `The tests need ${still.map((program) => program.name).join(', ')}. ` +
      `On Debian or Ubuntu: sudo apt-get install ${still.map((program) => program.debian).join(' ')}. ` +
      'Elsewhere install them by hand, so that they are found on the PATH (CHROMIUM_PATH names a browser).',
  )
  process.exit(1)
}

function runs(command: string, argument: string): boolean {
  const { error } = spawnSync(command, [argument], { stdio: 'ignore', timeout: 30_000 })
  return error === undefined
}
