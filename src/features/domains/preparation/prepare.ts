import { conflict } from '../../../platform/errors.ts'
import { loadDomainDetails } from '../details.ts'
import { addDomain, type DomainActor, type DomainsNeeds, requireEditor } from '../domains.ts'
import { readHostnameInput } from '../hostname-input.ts'
import { findDomain } from '../queries.ts'
import type { DomainDetails } from '../view.ts'
import { prepareRow } from '../writes.ts'
import { hasChallengeName } from './challenge-zone.ts'

/**
 * A domain that is in use elsewhere: it gets its certificate before its record changes, so that nobody meets a broken
 * page on the day when it does. One that waits for its record already goes on so.
 */
export async function prepareDomain(
  needs: DomainsNeeds,
  actor: DomainActor,
  input: { hostname: string },
): Promise<DomainDetails> {
  requireEditor(actor, 'Preparing a domain')
  if (needs.challengeZone === undefined) {
    throw conflict(
      'This installation answers for no DNS zone (PETSTORE_DNS_ZONE), so it cannot have a certificate before the ' +
        'domain leads here. Add the domain instead.',
    )
  }
  const name = readHostnameInput(input.hostname, [], { wildcards: true })
  if (name.ok && !hasChallengeName(name.hostname)) {
    throw conflict(`${name.hostname} is too long to be prepared: DNS has no room for the record. Add it instead.`)
  }
  const { storage, clock, changes } = needs
  const attached = name.ok ? await findDomain(storage.read, actor.projectId, name.hostname) : undefined
  if (!attached || attached.removed_at !== null) return addDomain(needs, actor, { ...input, prepare: true })
  const request = { projectId: actor.projectId, hostname: attached.hostname, now: clock.now() }
  const outcome = await storage.write(prepareRow, request)
  if (outcome.kind !== 'prepared') {
    throw conflict(`${attached.hostname} leads here already: there is nothing to prepare.`)
  }
  await changes.catchUp()
  return loadDomainDetails(needs, outcome.row)
}
