import { isIP } from 'node:net'
import { DAY_MS, MINUTE_MS, type Clock } from '../../../platform/clock.ts'
import { createCsr, readCsr } from './csr.ts'
import { checkIssuedChain, type IssuedChain } from './issued-chain.ts'
import { INTERNAL_CA_ID, plannedOrder, type IssuanceProblem, type Issuer } from '../issuer.ts'
import { createPrivateKeyPem, importKeyPair, KEY_ALGORITHM } from './key-pair.ts'
import { nameConstraints, readPermittedDomains } from './name-constraints.ts'
import { signRevocationList } from './revocation-list.ts'
import type { RevokedCertificate } from './revocations.ts'
import { subjectNames } from './subject-names.ts'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  CRLDistributionPointsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from './x509.ts'

/** The root of an installation. The certificate is for everybody; the key belongs into the vault. */
export interface CaRoot {
  certificatePem: string
  privateKeyPem: string
}

export interface InternalCa extends Issuer {
  /** What people import so that their browser trusts the sites of this installation. */
  readonly rootPem: string
  /**
   * A new key and its chain in one call, for names that need no order: platform names, test servers. Clients accept
   * no wildcard right below a top-level name, so `shop.localhost` needs a certificate of its own, not `*.localhost`.
   */
  issue(names: readonly string[]): Promise<IssuedChain & { privateKeyPem: string }>
  /** In DER. */
  revocationList(revoked: readonly RevokedCertificate[]): Promise<Uint8Array>
}

interface InternalCaOptions {
  root: CaRoot
  leafValidityMs?: number
  /** Where clients find the revocation list; without it, the certificates name none. */
  crlUrl?: string | undefined
}

const ROOT_VALIDITY_MS = 3650 * DAY_MS
const LEAF_VALIDITY_MS = 90 * DAY_MS
/** Room for clients whose clock is behind. */
const BACKDATE_MS = 5 * MINUTE_MS
const COMMON_NAME_MAX = 64
const HOSTNAME = /^(\*\.)?([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** Makes a root, limited to `permittedDomains` and what lies below them where any are given. */
export async function createRoot(
  { clock }: { clock: Clock },
  options: { name?: string; permittedDomains?: readonly string[]; validityMs?: number } = {},
): Promise<CaRoot> {
  const privateKeyPem = await createPrivateKeyPem()
  const keys = importKeyPair(privateKeyPem)
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ O: ['Petstore'] }, { CN: [options.name ?? 'Petstore internal CA'] }],
    keys,
    signingAlgorithm: KEY_ALGORITHM,
    notBefore: new Date(clock.now() - BACKDATE_MS),
    notAfter: new Date(clock.now() + (options.validityMs ?? ROOT_VALIDITY_MS)),
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      nameConstraints(options.permittedDomains ?? []),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  return { certificatePem: `${certificate.toString('pem')}\n`, privateKeyPem }
}

/** Signs by itself: an order goes from `planned` to `issued` in one step, with no challenges. */
export function createInternalCa(
  { clock }: { clock: Clock },
  { root, leafValidityMs = LEAF_VALIDITY_MS, crlUrl }: InternalCaOptions,
): InternalCa {
  const rootCertificate = new X509Certificate(root.certificatePem)
  const rootKey = importKeyPair(root.privateKeyPem).privateKey
  const permitted = readPermittedDomains(rootCertificate)

  const sign = async (csr: string): Promise<IssuedChain | IssuanceProblem> => {
    const wanted = await readCsr(csr)
    const { names, publicKey } = wanted
    const stranger = names.find((name) => !mayIssue(name, permitted))
    if (stranger !== undefined) return refused(stranger, permitted)
    const now = clock.now()
    const rootEndsAt = rootCertificate.notAfter.getTime()
    if (rootEndsAt <= now) return EXPIRED_ROOT

    const leafKey = publicKey.toCryptoKey(KEY_ALGORITHM, true, ['verify'])
    const leaf = await X509CertificateGenerator.create({
      subject: [{ CN: [commonName(names)] }],
      issuer: rootCertificate.subjectName,
      publicKey: leafKey,
      signingKey: rootKey,
      signingAlgorithm: KEY_ALGORITHM,
      notBefore: new Date(now - BACKDATE_MS),
      notAfter: new Date(Math.min(now + leafValidityMs, rootEndsAt)),
      extensions: [
        subjectNames(names),
        new BasicConstraintsExtension(false, undefined, true),
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        await SubjectKeyIdentifierExtension.create(leafKey),
        await AuthorityKeyIdentifierExtension.create(rootCertificate),
        ...(crlUrl === undefined ? [] : [new CRLDistributionPointsExtension([crlUrl])]),
      ],
    })
    const chainPem = `${leaf.toString('pem')}\n`
    const check = checkIssuedChain(chainPem + root.certificatePem, wanted, now)
    if (!check.ok) throw new Error(`The internal CA made a certificate that is no good: ${check.reason}.`)
    return { ...check.chain, chainPem }
  }

  return {
    id: INTERNAL_CA_ID,
    rootPem: root.certificatePem,

    begin: (request) => plannedOrder(INTERNAL_CA_ID, request),

    async advance(order) {
      const signed = await sign(order.csr)
      if ('code' in signed) return { result: 'failed', order, problem: signed }
      return { result: 'issued', order: { ...order, step: 'issued' }, chain: signed }
    },

    async issue(names) {
      const privateKeyPem = await createPrivateKeyPem()
      const signed = await sign(await createCsr(names, privateKeyPem))
      if ('code' in signed) throw new Error(signed.message)
      return { ...signed, privateKeyPem }
    },

    revocationList: (revoked) =>
      signRevocationList({ certificate: rootCertificate, key: rootKey }, revoked, clock.now()),

    /** By itself it remembers nothing: whoever publishes its list also keeps what goes into it. */
    revoke: async () => ({ revoked: true }),

    renewalAdvice: async () => ({ window: undefined, checkAgainMs: DAY_MS }),
  }
}

function mayIssue(name: string, permitted: readonly string[]): boolean {
  if (isIP(name)) return name === '::1' || name.startsWith('127.')
  if (name.length > 253 || !HOSTNAME.test(name)) return false
  const bare = name.replace(/^\*\./, '')
  return permitted.length === 0 || permitted.some((domain) => bare === domain || bare.endsWith(`.${domain}`))
}

const commonName = ([first = '']: readonly string[]) => (first.length <= COMMON_NAME_MAX ? first : 'Petstore site')

const refused = (hostname: string, permitted: readonly string[]): IssuanceProblem => ({
  code: 'name_refused',
  message: permitted.length
    ? `The internal CA issues for ${permitted.join(', ')} and names below only, not for ${hostname}.`
    : `The internal CA issues for hostnames and loopback addresses only, not for ${hostname}.`,
  detail: null,
  hostname,
  retryAfterMs: null,
})

const EXPIRED_ROOT: IssuanceProblem = {
  code: 'operator_needed',
  message: "The internal CA's root has expired. Make a new root and import it where the old one was trusted.",
  detail: null,
  hostname: null,
  retryAfterMs: null,
}
