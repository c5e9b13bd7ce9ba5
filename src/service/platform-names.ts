import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import type { PlatformSites } from '../edge/platform-sites.ts'
import {
  type CertificateFiles,
  type FileCertificate,
  openCertificateFiles,
} from '../features/certificates/certificate-files.ts'
import type { InstallationCa } from '../features/certificates/authority/installation-ca.ts'
import { lookAtPlatformName, platformCertificates } from '../features/certificates/platform-certificates.ts'
import { type CertificateRow, findOrderedCertificate, listHostnamesBelow } from '../features/certificates/queries.ts'
import type { WatchedName } from '../features/certificates/watching/watch.ts'
import { type ServedCertificate, servedCertificate } from '../features/certificates/serving.ts'
import type { Vault } from '../features/certificates/vault.ts'
import { findShareHolder } from '../features/accounts/queries.ts'
import { findFirstSlug, findProjectBySlug } from '../features/projects/queries.ts'
import { PROJECTS_TOPIC } from '../features/projects/writes.ts'
import type { Clock } from '../platform/clock.ts'
import { isWithin } from '../platform/hostname.ts'
import type { Log } from '../platform/log.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import type { Storage } from '../platform/storage/storage.ts'

interface PlatformNamesNeeds {
  config: Pick<Config, 'baseUrl' | 'stagingUrl' | 'platformHost' | 'acme' | 'platformCertificate' | 'dnsZone'>
  storage: Storage
  clock: Clock
  changes: ChangeFeed
  log: Log
  vault: Vault
  ca: InstallationCa
  sites: Pick<PlatformSites, 'projectAt' | 'previewAt'>
  /** Whether a label is that of a link to try a domain. */
  isTrial: (label: string) => boolean
}

/** The two addresses, `<slug>.<platform host>` of every project, and previews: who they are, and their certificates. */
export interface PlatformNames extends AsyncDisposable {
  /** For a handshake. Nothing for a name that the platform does not have. */
  certificateFor(hostname: string): Promise<ServedCertificate | undefined>
  /** Whether the authority is to certify the name. */
  isOrdered(hostname: string): Promise<boolean>
  /** Whose project it is the name of; nobody's for the two addresses. */
  ownerOf(hostname: string): Promise<string | undefined>
  /** The names that may have certificates, which of them must, and what the operator gave in files. */
  certified(): Promise<CertifiedNames>
  /** Has the two addresses certified without waiting for visitors; for when the authority can come and look. */
  orderAddresses(): Promise<void>
  /** Those that visitors meet over TLS: the addresses, and one site for all of them. */
  watched(): Promise<WatchedName[]>
  /** Calls back with every name that is to be looked up again, because the operator's certificate has changed. */
  onChange(forget: (hostname: string) => void): void
}

interface CertifiedNames {
  hostnames: string[]
  /** Without a visitor, too. */
  ordered: string[]
  file: FileCertificate | undefined
}

export async function openPlatformNames(needs: PlatformNamesNeeds): Promise<PlatformNames> {
  const { config, storage, clock, changes, log, vault, ca, sites } = needs
  const addresses = [...new Set([config.baseUrl.hostname, config.stagingUrl.hostname])]
  const wildcard = `*.${config.platformHost}`
  const servedFromFiles = new Set<string>()
  let forget: (hostname: string) => void = () => {}
  const files = await openFiles()
  const onError = (error: unknown) => log.error({ err: error }, 'a certificate of the platform could not be ordered')
  const issued = platformCertificates({ storage, clock, vault, ca, isPlatformName, isOrdered, onError })
  const lookAt = (hostname: string, only?: 'queued') =>
    storage.write(lookAtPlatformName, { hostname, ...(only && { only }), now: clock.now() }).catch(onError)

  if (config.acme) {
    // A project that is gone, or has another slug, needs no certificate any more.
    changes.on(PROJECTS_TOPIC, (slug) => void lookAt(`${slug}.${config.platformHost}`, 'queued'))
  }

  return {
    async certificateFor(hostname) {
      const fromFiles = files?.certificateFor(hostname)
      const ofAll = fromFiles ? undefined : await wildcardFor(hostname)
      if ((!fromFiles && !ofAll) || !(await isPlatformName(hostname))) return issued(hostname)
      if (ofAll) return servedCertificate(ofAll, vault)
      servedFromFiles.add(hostname)
      return fromFiles
    },
    isOrdered,
    async ownerOf(hostname) {
      const label = addresses.includes(hostname) ? undefined : labelOf(hostname)
      const project = label === undefined ? undefined : await findProjectBySlug(storage.read, label)
      return project && findShareHolder(storage.read, project.id)
    },
    async certified() {
      const ordered = await orderedAddresses()
      const below = await listHostnamesBelow(storage.read, config.platformHost)
      return { hostnames: [...new Set([...ordered, ...addresses, ...below])], ordered, file: files?.inUse() }
    },
    async orderAddresses() {
      for (const hostname of await orderedAddresses()) await lookAt(hostname)
    },
    async watched() {
      const secured = [config.baseUrl, config.stagingUrl].filter(({ protocol }) => protocol === 'https:')
      const names = [...new Set(secured.map(({ hostname }) => hostname))]
      const own = names.map((hostname) => ({ hostname, visitName: hostname }))
      const slug = secured.length > 0 ? await findFirstSlug(storage.read) : undefined
      if (slug === undefined) return own
      return [...own, { hostname: wildcard, visitName: `${slug}.${config.platformHost}` }]
    },
    onChange: (callback) => void (forget = callback),
    async [Symbol.asyncDispose]() {
      await files?.[Symbol.asyncDispose]()
    },
  }

  async function orderedAddresses(): Promise<string[]> {
    const ordered: string[] = []
    for (const hostname of [wildcard, ...addresses]) if (await isOrdered(hostname)) ordered.push(hostname)
    return ordered
  }

  async function isPlatformName(hostname: string): Promise<boolean> {
    if (addresses.includes(hostname)) return true
    const label = labelOf(hostname)
    if (label === undefined) return false
    if (needs.isTrial(label)) return true
    return (await sites.projectAt(label)) !== undefined || (await sites.previewAt(label)) !== undefined
  }

  /** Not previews: every deploy has one, an authority allows few names a week, and would make each of them public. */
  async function isOrdered(hostname: string): Promise<boolean> {
    if (!config.acme || !isCertifiable(hostname) || files?.certificateFor(hostname)) return false
    if (hostname === wildcard) return config.dnsZone !== undefined && files === undefined
    if (await wildcardFor(hostname)) return false
    if (addresses.includes(hostname)) return true
    const label = labelOf(hostname)
    return label !== undefined && (await findProjectBySlug(storage.read, label)) !== undefined
  }

  /** One certificate for every name right below the platform host, where our zone proves it. */
  async function wildcardFor(hostname: string): Promise<CertificateRow | undefined> {
    const label = config.dnsZone && config.acme ? labelOf(hostname) : undefined
    if (label === undefined || label.includes('.')) return undefined
    return findOrderedCertificate(storage.read, wildcard, clock.now())
  }

  function labelOf(hostname: string): string | undefined {
    const suffix = `.${config.platformHost}`
    return hostname.endsWith(suffix) ? hostname.slice(0, -suffix.length) : undefined
  }

  async function openFiles(): Promise<CertificateFiles | undefined> {
    if (!config.platformCertificate) return undefined
    return openCertificateFiles({
      ...config.platformCertificate,
      platformHost: config.platformHost,
      clock,
      onChange() {
        const names = [...servedFromFiles]
        servedFromFiles.clear()
        names.forEach((hostname) => forget(hostname))
      },
      onProblem: (sentence) => log.error(sentence),
    })
  }
}

/** No authority knows addresses, names without a dot, and what stays on this machine (RFC 6761). */
const isCertifiable = (hostname: string) =>
  hostname.includes('.') && isIP(hostname) === 0 && !hostname.startsWith('[') && !isWithin(hostname, 'localhost')
