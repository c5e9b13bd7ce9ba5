import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { type Clock, MINUTE_MS } from '../../platform/clock.ts'
import { StartError } from '../../platform/start-error.ts'
import type { ServedCertificate } from './serving.ts'

/** What people may know of it. */
export interface FileCertificate {
  readonly names: string[]
  readonly issuer: string
  readonly notAfter: number
  /** Why files that were put there since are not used. */
  readonly problem: string | undefined
}

/** A certificate of the operator's own, in files that are replaced from time to time. */
export interface CertificateFiles extends AsyncDisposable {
  /** For a name that it covers, as long as it is good. */
  certificateFor(hostname: string): ServedCertificate | undefined
  /** Also after its end. */
  inUse(): FileCertificate
}

interface CertificateFilesNeeds {
  certFile: string
  keyFile: string
  /** `*.<platform host>` must be covered: a certificate for anything else is a mistake. */
  platformHost: string
  clock: Clock
  /** The files hold another certificate, or the one that they hold has expired. */
  onChange(): void
  /** Why the files that are there now are not used; what was read before goes on being served while it is good. */
  onProblem(sentence: string): void
}

interface Held {
  certificate: X509Certificate
  served: ServedCertificate
}

/** Two questions to the file system. */
const LOOK_EVERY_MS = MINUTE_MS
const CERT = 'PETSTORE_PLATFORM_CERT_FILE'
const KEY = 'PETSTORE_PLATFORM_KEY_FILE'

/** Refuses, in a sentence, files that cannot be used. Looks every minute whether they have been replaced. */
export async function openCertificateFiles(needs: CertificateFilesNeeds): Promise<CertificateFiles> {
  const { clock, onChange, onProblem } = needs
  let seen = await stampOf(needs)
  const first = await readPair(needs)
  if (typeof first === 'string') throw new StartError(first)
  let held = first
  let problem: string | undefined
  let wasGood = true
  const stop = new AbortController()
  const watching = watch()

  return {
    certificateFor: (hostname) => (isGood(held) && covers(held, hostname) ? held.served : undefined),
    inUse: () => ({
      names: namesOf(held.certificate),
      issuer: held.certificate.issuer.replaceAll('\n', ', '),
      notAfter: held.served.notAfter,
      problem: isGood(held) ? problem : expired(held.certificate),
    }),
    async [Symbol.asyncDispose]() {
      stop.abort()
      await watching
    },
  }

  async function watch(): Promise<void> {
    for (;;) {
      await clock.sleep(LOOK_EVERY_MS, stop.signal)
      if (stop.signal.aborted) return
      await look()
    }
  }

  async function look(): Promise<void> {
    const stamp = await stampOf(needs)
    if (stamp !== seen) {
      seen = stamp
      const next = await readPair(needs)
      problem = typeof next === 'string' ? next : undefined
      if (typeof next === 'string') onProblem(next)
      else if (next.served.id !== held.served.id) {
        held = next
        wasGood = true
        onChange()
      }
    }
    if (wasGood && !isGood(held)) {
      wasGood = false
      onProblem(expired(held.certificate))
      onChange()
    }
  }

  function isGood({ certificate }: Held): boolean {
    return certificate.validToDate.getTime() > clock.now()
  }
}

/** As browsers judge it: by the alternative names alone, with a wildcard for one label. */
const covers = ({ certificate }: Pick<Held, 'certificate'>, hostname: string) =>
  certificate.checkHost(hostname, { subject: 'never', partialWildcards: false }) !== undefined

/** What is in the files, or why it cannot be used. */
async function readPair({ certFile, keyFile, platformHost, clock }: CertificateFilesNeeds): Promise<Held | string> {
  const [cert, key] = await Promise.all([readText(certFile), readText(keyFile)])
  if ('code' in cert) return `${CERT} cannot be read (${cert.code}): check the path ${certFile}.`
  if ('code' in key) return `${KEY} cannot be read (${key.code}): check the path ${keyFile}.`
  const certificate = attempt(() => new X509Certificate(cert.text))
  if (!certificate) return `${CERT} (${certFile}) holds no certificate: it must be a PEM file, the site's own first.`
  const privateKey = attempt(() => createPrivateKey(key.text))
  if (!privateKey) return `${KEY} (${keyFile}) holds no private key: it must be a PEM file without a passphrase.`
  if (!attempt(() => certificate.checkPrivateKey(privateKey))) {
    return `The key in ${KEY} does not belong to the certificate in ${CERT}: name two files that were made together.`
  }
  if (certificate.validToDate.getTime() <= clock.now()) return expired(certificate)
  if (certificate.validFromDate.getTime() > clock.now()) {
    return `The certificate in ${CERT} is not valid before ${certificate.validFromDate.toISOString()}.`
  }
  const names = namesOf(certificate)
  const wildcard = `*.${platformHost}`
  if (!names.includes(wildcard) || !covers({ certificate }, `any.${platformHost}`)) {
    const covered = names.join(', ') || 'nothing'
    return `The certificate in ${CERT} does not cover ${wildcard}, but ${covered}: get one that does.`
  }
  const notAfter = certificate.validToDate.getTime()
  return { certificate, served: { id: `file ${certificate.fingerprint256}`, cert: cert.text, key: key.text, notAfter } }
}

const namesOf = ({ subjectAltName = '' }: X509Certificate) =>
  subjectAltName.split(', ').map((name) => name.replace(/^DNS:/, '').toLowerCase())

const expired = ({ validToDate }: X509Certificate) =>
  `The certificate in ${CERT} expired on ${validToDate.toISOString()}: put a new one there, with its key.`

async function readText(path: string): Promise<{ text: string } | { code: string }> {
  try {
    return { text: await readFile(path, 'utf8') }
  } catch (error) {
    return { code: (error as NodeJS.ErrnoException).code ?? 'unknown' }
  }
}

/** Differs when either file has been written or exchanged, also through a link. */
async function stampOf({ certFile, keyFile }: Pick<CertificateFilesNeeds, 'certFile' | 'keyFile'>): Promise<string> {
  const stamps = [certFile, keyFile].map(async (path) => {
    const { ino, size, mtimeMs } = await stat(path).catch(() => ({ ino: 0, size: 0, mtimeMs: 0 }))
    return `${ino} ${size} ${mtimeMs}`
  })
  return (await Promise.all(stamps)).join(', ')
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}
