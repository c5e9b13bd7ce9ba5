import { X509Certificate as NodeCertificate } from 'node:crypto'
import { DAY_MS, HOUR_MS, MINUTE_MS, type Clock } from '../../../platform/clock.ts'
import { readRetryAfter } from '../../../platform/http/wire/retry-after.ts'
import type { RenewalAdvice, RenewalWindow } from '../issuer.ts'
import { AuthorityKeyIdentifierExtension, X509Certificate } from '../authority/x509.ts'
import { AcmeError } from './acme-error.ts'
import type { AcmeConnection } from './connection.ts'
import { readMessage, RenewalInfo } from './messages.ts'

const AUTHORITY_KEY_IDENTIFIER = '2.5.29.35'
const CHECK_DEFAULT_MS = 12 * HOUR_MS
/** The bounds that RFC 9773, 4.3 recommends. */
const CHECK_MIN_MS = MINUTE_MS
const CHECK_MAX_MS = DAY_MS

/** RFC 9773, 4.1: authority key identifier and serial number; undefined for certificates that lack the former. */
export function renewalIdentifier(certificatePem: string): string | undefined {
  const leaf = new NodeCertificate(certificatePem)
  const authority = new X509Certificate(leaf.raw).getExtension(AUTHORITY_KEY_IDENTIFIER)
  if (!(authority instanceof AuthorityKeyIdentifierExtension) || !authority.keyId) return undefined
  return `${base64url(authority.keyId)}.${base64url(serialBytes(leaf.serialNumber))}`
}

/** Asks the CA when it would like this certificate to be renewed (ARI). No answer is an answer without a window. */
export async function fetchRenewalAdvice(
  { connection, clock }: { connection: AcmeConnection; clock: Clock },
  certificatePem: string,
  signal?: AbortSignal,
): Promise<RenewalAdvice> {
  try {
    const { renewalInfo } = await connection.directory(signal)
    const identifier = renewalIdentifier(certificatePem)
    if (renewalInfo === undefined || identifier === undefined) return noAdvice(CHECK_DEFAULT_MS)
    const response = await connection.get(`${renewalInfo.replace(/\/$/, '')}/${identifier}`, signal)
    const asked = readRetryAfter(response.headers['retry-after'], clock.now()) ?? CHECK_DEFAULT_MS
    const { suggestedWindow } = readMessage(response, RenewalInfo)
    return { window: readWindow(suggestedWindow), checkAgainMs: clampCheck(asked) }
  } catch (error) {
    if (!(error instanceof AcmeError)) throw error
    return noAdvice(clampCheck(error.retryAfterMs ?? HOUR_MS))
  }
}

function readWindow({ start, end }: { start: string; end: string }): RenewalWindow | undefined {
  const [startAt, endAt] = [Date.parse(start), Date.parse(end)]
  return startAt < endAt ? { startAt, endAt } : undefined
}

const noAdvice = (checkAgainMs: number): RenewalAdvice => ({ window: undefined, checkAgainMs })

const clampCheck = (delayMs: number) => Math.min(Math.max(delayMs, CHECK_MIN_MS), CHECK_MAX_MS)

/** DER writes a leading zero where the first bit would read as a sign. */
const serialBytes = (serial: string) => {
  const hex = serial.length % 2 ? `0${serial}` : serial
  return parseInt(hex.slice(0, 2), 16) >= 0x80 ? `00${hex}` : hex
}

const base64url = (hex: string) => Buffer.from(hex, 'hex').toString('base64url')
