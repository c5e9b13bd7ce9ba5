import { publishChange } from '../../platform/storage/change-feed.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'

/** Announced with a hostname whenever what it leads to has changed. */
export const DOMAINS_TOPIC = 'domains'

/** Announced with a project's id whenever its list of domains, its primary or whether that leads here has changed. */
export const PROJECT_DOMAINS_TOPIC = 'domains of a project'

/** Announced with a project's id when there is something new to tell its people. */
export const NOTIFICATIONS_TOPIC = 'notifications'

/** Subjects are hostnames: whatever a certificate needs, from the first order to the last renewal. */
export const CERTIFICATE_QUEUE = 'certificates'

export async function announceDomains(
  db: Db,
  engine: Engine,
  { projectId, hostnames, now }: { projectId: number; hostnames: readonly string[]; now: number },
): Promise<void> {
  for (const hostname of hostnames) await publishChange(db, engine, DOMAINS_TOPIC, hostname, now)
  await publishChange(db, engine, PROJECT_DOMAINS_TOPIC, String(projectId), now)
}
