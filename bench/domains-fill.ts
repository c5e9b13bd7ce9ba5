import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Insertable } from 'kysely'
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
import { insertRows } from '../src/platform/storage/rows/insert-rows.ts'
import { openStorage } from '../src/platform/storage/open.ts'
import { defineWrite, type Storage } from '../src/platform/storage/storage.ts'
import type { Tables } from '../src/platform/storage/tables.ts'

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
      const { renewAt } = planRenewal({ notBefore: issued, notAfter }, undefined, random)
      const since = { created_at: issued }
      const open = { require_second_factor: 0 }
      rows.projects.push({
        id: projectId,
        slug: `shop-${index}`,
        name: `Shop ${index}`,
        plan: 'pro',
        ...open,
        ...since,
      })
      const deploy = { id: `dep_${index}`, seq: index, project_id: projectId, manifest_id: FIRST_NUMBER }
      rows.deploys.push({ ...deploy, source: 'directory', created_by: 'bench', ...since })
      rows.active_deploys.push({ project_id: projectId, deploy_id: deploy.id, activated_at: issued })
      rows.project_targets.push({ project_id: projectId, label: `t${index}`, ...since })
      rows.hostname_holders.push({ hostname, project_id: projectId, held_at: issued })
      rows.domains.push({
        id: `dom_${index}`,
        project_id: projectId,
        hostname,
        proof: `petstore-verify=${index}`,
        added_at: issued,
        verified_at: issued,
        checked_at: now - random() * DAY_MS,
        problems: '[]',
        revoke: 0,
      })
      rows.certificates.push({
        id,
        hostname,
        issuer: INTERNAL_CA_ID,
        issuer_name: leaf.issuer,
        serial: `${leaf.serial}${index}`,
        fingerprint: leaf.fingerprint,
        chain: chainPem,
        sealed_key: vault.seal(certificateKey(id), privateKeyPem),
        not_before: issued,
        not_after: notAfter,
        issued_at: issued,
        renew_at: renewAt,
      })
      const due_at = Math.floor(now + HOUR_MS + random() * DAY_MS)
      rows.work.push({ queue: CHECK_QUEUE, subject: `dom_${index}`, due_at, revision: 1, failures: 0 })
      rows.work.push({ queue: CERTIFICATE_QUEUE, subject: hostname, due_at: renewAt, revision: 1, failures: 0 })
    }
    await storage.write(insertDomains, rows)
  }
}

const emptyRows = () => ({
  projects: [] as Insertable<Tables['projects']>[],
  deploys: [] as Insertable<Tables['deploys']>[],
  active_deploys: [] as Insertable<Tables['active_deploys']>[],
  project_targets: [] as Insertable<Tables['project_targets']>[],
  hostname_holders: [] as Insertable<Tables['hostname_holders']>[],
  domains: [] as Insertable<Tables['domains']>[],
  certificates: [] as Insertable<Tables['certificates']>[],
  work: [] as Insertable<Tables['work']>[],
})

/** A site without files, deployed by every project: sites are measured elsewhere. */
const insertManifest = defineWrite('bench.insertManifest', async (db) => {
  await insertRows(db, 'manifests', [{ id: FIRST_NUMBER, hash: 'bench', files: 0, bytes: 0 }])
})

const insertDomains = defineWrite('bench.insertDomains', async (db, rows: ReturnType<typeof emptyRows>) => {
  for (const [table, some] of Object.entries(rows)) await insertRows(db, table as keyof typeof rows, some as never)
})
