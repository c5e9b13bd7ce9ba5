import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInternalCa } from '../src/features/certificates/authority/internal-ca.ts'
import { INTERNAL_CA_ID } from '../src/features/certificates/issuer.ts'
import { planRenewal } from '../src/features/certificates/renewal.ts'
import { openRoot } from '../src/features/certificates/authority/root.ts'
import { certificateKey, createVault } from '../src/features/certificates/vault.ts'
import { CERTIFICATE_QUEUE } from '../src/features/domains/topics.ts'
import { CHECK_QUEUE } from '../src/features/domains/queries.ts'
import { migrations } from '../src/migrations.ts'
import { DAY_MS, HOUR_MS, systemClock } from '../src/platform/clock.ts'
import { openMasterKey } from '../src/platform/master-key.ts'
import { insertRows } from '../src/platform/storage/insert-rows.ts'
import { openStorage } from '../src/platform/storage/open.ts'
import { defineWrite, type Storage } from '../src/platform/storage/storage.ts'

export const CERTIFICATE_LIFE_MS = 90 * DAY_MS
const ROWS_PER_WRITE = 4096
/** Far from the numbers that the service gives. */
const FIRST_NUMBER = 1_000_000

export const hostnameOf = (index: number) => `www.shop-${index}.example`

export const newDataDirectory = () => mkdtempSync(join(tmpdir(), 'petstore-bench-domains-'))

export function openBenchStorage(dataDirectory: string): Promise<Storage> {
  return openStorage({ dataDirectory, databaseUrl: undefined, migrations, onError: (error) => console.error(error) })
}

/**
 * Live domains, each the primary of its own project, as if they had been issued at the times given. Their daily checks
 * begin an hour from now: the names exist in no DNS, and the measurements are not about that.
 */
export async function fillWithDomains(dataDirectory: string, issuedAt: readonly number[], random: () => number) {
  await using storage = await openBenchStorage(dataDirectory)
  const source = { configured: undefined, dataDirectory }
  const vault = createVault(await openMasterKey(storage, source, (key) => createVault(key).keyId))
  const ca = createInternalCa({ clock: systemClock }, { root: await openRoot(storage, vault, systemClock) })
  // One key pair for all: every row is sealed by itself and every hostname gets a context of its own all the same.
  const { privateKeyPem, chainPem, leaf } = await ca.issue(['*.example'])
  const now = systemClock.now()

  await storage.write(insertManifest, null)
  for (let start = 0; start < issuedAt.length; start += ROWS_PER_WRITE) {
    const rows = emptyRows()
    for (const [offset, issued] of issuedAt.slice(start, start + ROWS_PER_WRITE).entries()) {
      const index = start + offset
      const hostname = hostnameOf(index)
      const projectId = FIRST_NUMBER + index
      const id = `crt_${index}`
      const notAfter = issued + CERTIFICATE_LIFE_MS
      const { renewAt } = planRenewal({ notBefore: issued, notAfter }, null, random)
      const facts = [issued, issued, now - random() * DAY_MS]
      rows.projects.push([projectId, `shop-${index}`, `Shop ${index}`, 'pro', issued])
      rows.deploys.push([`dep_${index}`, index, projectId, FIRST_NUMBER, 'directory', 'bench', issued])
      rows.active.push([projectId, `dep_${index}`, issued])
      rows.targets.push([projectId, `t${index}`, issued])
      rows.holders.push([hostname, projectId, issued])
      rows.domains.push([`dom_${index}`, projectId, hostname, `petstore-verify=${index}`, ...facts, '[]', 0])
      rows.certificates.push([
        id,
        hostname,
        INTERNAL_CA_ID,
        leaf.issuer,
        `${leaf.serial}${index}`,
        leaf.fingerprint,
        chainPem,
        vault.seal(certificateKey(id), privateKeyPem),
        issued,
        notAfter,
        issued,
        renewAt,
      ])
      rows.work.push([CHECK_QUEUE, `dom_${index}`, Math.floor(now + HOUR_MS + random() * DAY_MS), 1, 0])
      rows.work.push([CERTIFICATE_QUEUE, hostname, renewAt, 1, 0])
    }
    await storage.write(insertDomains, rows)
  }
}

type RowsOf = 'projects' | 'deploys' | 'active' | 'targets' | 'holders' | 'domains' | 'certificates' | 'work'
type Rows = Record<RowsOf, unknown[][]>

const emptyRows = (): Rows => ({
  projects: [],
  deploys: [],
  active: [],
  targets: [],
  holders: [],
  domains: [],
  certificates: [],
  work: [],
})

/** A site without files, deployed by every project: sites are measured elsewhere. */
const insertManifest = defineWrite('bench.insertManifest', async (db) => {
  await insertRows(db, 'manifests', ['id', 'hash', 'files', 'bytes'], [[FIRST_NUMBER, 'bench', 0, 0]])
})

const insertDomains = defineWrite('bench.insertDomains', async (db, rows: Rows) => {
  await insertRows(db, 'projects', ['id', 'slug', 'name', 'plan', 'created_at'], rows.projects)
  const deploy = ['id', 'seq', 'project_id', 'manifest_id', 'source', 'created_by', 'created_at'] as const
  await insertRows(db, 'deploys', deploy, rows.deploys)
  await insertRows(db, 'active_deploys', ['project_id', 'deploy_id', 'activated_at'], rows.active)
  await insertRows(db, 'project_targets', ['project_id', 'label', 'created_at'], rows.targets)
  await insertRows(db, 'hostname_holders', ['hostname', 'project_id', 'held_at'], rows.holders)
  const domain = [
    'id',
    'project_id',
    'hostname',
    'proof',
    'added_at',
    'verified_at',
    'checked_at',
    'problems',
    'revoke',
  ] as const
  await insertRows(db, 'domains', domain, rows.domains)
  const certificate = [
    'id',
    'hostname',
    'issuer',
    'issuer_name',
    'serial',
    'fingerprint',
    'chain',
    'sealed_key',
    'not_before',
    'not_after',
    'issued_at',
    'renew_at',
  ] as const
  await insertRows(db, 'certificates', certificate, rows.certificates)
  await insertRows(db, 'work', ['queue', 'subject', 'due_at', 'revision', 'failures'], rows.work)
})
