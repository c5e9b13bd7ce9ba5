import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { connect } from 'node:tls'
import {
  CRLDistributionPointsExtension,
  X509Certificate as Parsed,
} from '../../src/features/certificates/authority/x509.ts'
import { startTestPetstore } from '../harness/petstore.ts'

interface Finding {
  id: string
  severity: string
  finding: string
}

/** Protocols, cipher strength, forward secrecy, certificate, preferences, known attacks. */
const SECTIONS = ['-p', '-s', '-f', '-S', '-P', '-U']
/** One of each section, so that a scan which broke off is not taken for a good one. */
const EXPECTED = ['TLS1_3', 'cipherlist_STRONG', 'PFS', 'cert_chain_of_trust', 'cipher_order', 'heartbleed', 'RC4']
/** A scan takes 20 s of a processor, however many share it: this is only for one that hangs. */
const SCAN_TIMEOUT_MS = 900_000
/** WARN is about the scanner's own OpenSSL, which cannot try the oldest ciphers. */
const HARMLESS = new Set(['OK', 'INFO', 'LOW', 'WARN', 'DEBUG'])

const shop = await startTestPetstore()
after(() => shop[Symbol.asyncDispose]())
const { httpsPort } = shop.config
const rootPem = await shop.petstore.rootPem()

test('testssl finds nothing above LOW at the HTTPS port', { timeout: SCAN_TIMEOUT_MS + 120_000 }, async () => {
  requireTestssl()
  const findings = await scan(`localhost:${httpsPort}`)
  const serious = findings.filter(({ severity }) => !HARMLESS.has(severity))
  assert.deepEqual(serious, [], `testssl found:\n${inWords(serious)}`)
  const missing = EXPECTED.filter((id) => !findings.some((one) => one.id === id))
  assert.deepEqual(missing, [], `testssl did not come to its end; it found:\n${inWords(findings)}`)
})

test('the address of the revocation list in a certificate answers with a list that the root has signed', async () => {
  const extension = new Parsed(await servedCertificate()).getExtension(CRLDistributionPointsExtension)
  const place = extension?.distributionPoints[0]?.distributionPoint
  const url = place?.fullName?.[0]?.uniformResourceIdentifier as string
  assert.equal(url, `${shop.config.baseUrl.origin}/ca.crl`)
  const answer = await fetch(url)
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'application/pkix-crl')
  const list = Buffer.from(await answer.arrayBuffer()).toString('base64')
  assert.ok(await servedCertificate(`-----BEGIN X509 CRL-----\n${list}\n-----END X509 CRL-----`))
  assert.equal((await fetch(url, { method: 'POST' })).status, 404)
})

function scan(target: string): Promise<Finding[]> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-testssl-'))
  const [root, report] = [join(directory, 'root.pem'), join(directory, 'report.json')]
  writeFileSync(root, rootPem)
  const options = [
    '--quiet',
    '--fast',
    '--color',
    '0',
    '--warnings',
    'off',
    '--nodns',
    'none',
    '--ip',
    '127.0.0.1',
    '--connect-timeout',
    '60',
    '--openssl-timeout',
    '60',
    '--add-ca',
    root,
    '--jsonfile',
    report,
  ]
  return new Promise<Finding[]>((resolve, reject) => {
    // Bash cuts the bytes that it reads out of strings: in UTF-8 it counts letters for that, ten seconds long.
    const limits = { cwd: directory, timeout: SCAN_TIMEOUT_MS, env: { ...process.env, LC_ALL: 'C' } }
    execFile('testssl', [...options, ...SECTIONS, target], limits, (error, text) => {
      // Its exit code counts findings: only the report tells.
      if (error?.killed) return reject(new Error(`testssl was not done after ${SCAN_TIMEOUT_MS} ms:\n${text}`))
      resolve(JSON.parse(readFileSync(report, 'utf8')) as Finding[])
    })
  }).finally(() => rmSync(directory, { recursive: true, force: true }))
}

/** In DER, over a connection that is checked against the root, and the list where one is given. */
function servedCertificate(crl?: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const trust = { ca: rootPem, ...(crl === undefined ? {} : { crl }) }
    const socket = connect({ host: '127.0.0.1', port: httpsPort, servername: 'localhost', ...trust }, () => {
      resolve((socket.getPeerX509Certificate() as X509Certificate).raw)
      socket.end()
    })
    socket.on('error', reject)
  })
}

const inWords = (findings: readonly Finding[]) =>
  findings.map(({ id, severity, finding }) => `${severity} ${id}: ${finding}`).join('\n')

function requireTestssl(): void {
  const isThere = () => spawnSync('testssl', ['--help'], { stdio: 'ignore' }).error === undefined
  if (isThere()) return
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    const options = { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } } as const
    execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', 'update', '-qq'], options)
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'testssl.sh']
    execFileSync('apt-get', ['-o', 'DPkg::Lock::Timeout=120', ...install], options)
  }
  if (isThere()) return
  throw new Error(
    'This test needs testssl.sh. On Debian run "apt-get install testssl.sh" as root; elsewhere put it on the PATH as ' +
      '"testssl".',
  )
}
