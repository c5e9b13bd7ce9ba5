import type { FileCertificate } from '../../../features/certificates/certificate-files.ts'
import type { CertificateInfo, CertificatesOf } from '../../../features/domains/view.ts'
import type { Clock } from '../../../platform/clock.ts'
import { iso } from '../../../platform/iso-date.ts'
import { readBacklog } from '../../../platform/work/backlog.ts'
import { listInstances } from '../../../platform/work/presence.ts'
import { ok, route } from '../../route.ts'

export interface HealthRouteNeeds {
  clock: Clock
  domains: { certificatesOf: CertificatesOf }
  platformNames: {
    certified(): Promise<{ hostnames: string[]; ordered: string[]; file: FileCertificate | undefined }>
  }
}

/** A certificate of the platform's own names, or one that is wanted. */
export interface PlatformCertificateView {
  names: string[]
  /** From the operator's files, ordered at an authority, made by the internal CA, or not there yet. */
  source: 'file' | 'authority' | 'internal' | 'missing'
  /** The host of the directory that it was ordered at. */
  authority: string | null
  issuer: string | null
  notAfter: string | null
  /** When the next one is ordered or made; null where it comes from files, or is missing. */
  renewAt: string | null
  /** Orders in a row that came to nothing. */
  failures: number
  lastFailure: { at: string | null; message: string } | null
  nextAttemptAt: string | null
}

/** How the installation is: for the operator. */
export function healthRoutes(needs: HealthRouteNeeds) {
  return [
    route({
      id: 'listInstances',
      summary: 'List the instances that serve',
      description: 'Each says every 15 seconds how it is. One that ended without saying so is shown for a day.',
      method: 'GET',
      path: '/operator/instances',
      role: 'operator',
      handle: async ({ storage }) => ok(await listInstances(storage)),
    }),
    route({
      id: 'getBacklog',
      summary: 'Show the queues of work',
      description: 'What is done in the background: how much of it is due, late, under way or being tried again.',
      method: 'GET',
      path: '/operator/work',
      role: 'operator',
      handle: async ({ storage }) => ok(await readBacklog(storage, needs.clock.now())),
    }),
    route({
      id: 'listPlatformCertificates',
      summary: "List the certificates of the platform's names",
      description: 'The two addresses, the wildcard, and at most 200 names of projects, those that end first.',
      method: 'GET',
      path: '/operator/certificates',
      role: 'operator',
      handle: async () => ok(await platformCertificates(needs)),
    }),
  ]
}

async function platformCertificates({ domains, platformNames }: HealthRouteNeeds): Promise<PlatformCertificateView[]> {
  const { hostnames, ordered, file } = await platformNames.certified()
  const known = await domains.certificatesOf(hostnames)
  const stored = hostnames
    .map((hostname) => storedView(hostname, known.get(hostname)))
    // The internal CA makes others when somebody comes.
    .filter(({ names, source, failures }) => source !== 'missing' || failures > 0 || ordered.includes(names[0] ?? ''))
  return file ? [fileView(file), ...stored] : stored
}

const fileView = ({ names, issuer, notAfter, problem }: FileCertificate): PlatformCertificateView => ({
  names,
  source: 'file',
  authority: null,
  issuer,
  notAfter: iso(notAfter),
  renewAt: null,
  failures: problem === undefined ? 0 : 1,
  lastFailure: problem === undefined ? null : { at: null, message: problem },
  nextAttemptAt: null,
})

function storedView(hostname: string, info: CertificateInfo | undefined): PlatformCertificateView {
  const { certificate = null, issuance = null } = info ?? {}
  const problem = issuance?.problem
  return {
    names: [hostname],
    source: certificate === null ? 'missing' : certificate.authority === null ? 'internal' : 'authority',
    authority: certificate?.authority ?? null,
    issuer: certificate?.issuer ?? null,
    notAfter: certificate?.notAfter ?? info?.certificateEndedAt ?? null,
    renewAt: certificate?.renewAt ?? null,
    failures: issuance?.failures ?? 0,
    lastFailure: problem ? { at: issuance?.attemptedAt ?? null, message: problem.message } : null,
    nextAttemptAt: issuance?.nextAttemptAt ?? null,
  }
}
