import '../tables.ts'
import type { Clock } from '../../../platform/clock.ts'
import { defineWrite, type Storage } from '../../../platform/storage/storage.ts'
import { rootKey, type Vault } from '../vault.ts'
import type { CaRoot } from './internal-ca.ts'

const ROOT_ID = 'internal'

const keepRoot = defineWrite(
  'certificates.keepRoot',
  async (db, row: { certificate: string; sealed_key: string; created_at: number }) => {
    await db
      .insertInto('ca_roots')
      .values({ id: ROOT_ID, ...row })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .execute()
  },
)

/** The root of this installation, made when it is first needed; the same for every instance. */
export async function openRoot(storage: Storage, vault: Vault, clock: Clock): Promise<CaRoot> {
  const find = () => storage.read.selectFrom('ca_roots').selectAll().where('id', '=', ROOT_ID).executeTakeFirst()
  let row = await find()
  if (!row) {
    const { createRoot } = await import('./internal-ca.ts')
    const { certificatePem, privateKeyPem } = await createRoot({ clock })
    const sealed_key = vault.seal(rootKey(ROOT_ID), privateKeyPem)
    await storage.write(keepRoot, { certificate: certificatePem, sealed_key, created_at: clock.now() })
    row = await find()
  }
  if (!row) throw new Error('The root of the internal CA was stored and is not there.')
  return { certificatePem: row.certificate, privateKeyPem: vault.open(rootKey(ROOT_ID), row.sealed_key) }
}
