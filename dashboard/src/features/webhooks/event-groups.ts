import type { EventType } from '../../api/webhooks.ts'

/** As the dialog shows them; a type that is missing here does not compile. */
const WORDS: Record<EventType, string> = {
  'pet.created': 'Animal added',
  'pet.updated': 'Animal changed',
  'pet.deleted': 'Animal deleted',
  'order.created': 'Order placed',
  'order.updated': 'Order completed or cancelled',
  'deploy.created': 'Deploy created',
  'deploy.activated': 'Another deploy shown',
  'deploy.deleted': 'Deploy removed',
  'domain.added': 'Domain added',
  'domain.verified': 'Domain verified',
  'domain.checked': 'Check with another result',
  'domain.changed': 'Primary, redirect or HSTS changed',
  'domain.unserved': 'Domain no longer served',
  'domain.lost': 'Taken over by another project',
  'domain.expired': 'Never verified, and gone',
  'domain.served_wrong': 'An instance serves something else',
  'domain.served_right': 'Every instance serves it again',
  'domain.removed': 'Domain removed',
  'certificate.issued': 'Certificate issued',
  'certificate.renewed': 'Certificate renewed',
  'certificate.failed': 'Certificate not issued',
  'certificate.expiring': 'Certificate runs out without a successor',
  'certificate.revoked': 'Certificate revoked',
  'key.created': 'Key created',
  'key.rotated': 'Key rotated',
  'key.revoked': 'Key revoked',
}

export const ALL_EVENTS = Object.keys(WORDS) as EventType[]

const NOUNS = {
  pet: 'Animals',
  order: 'Orders',
  deploy: 'Deploys',
  domain: 'Domains',
  certificate: 'Certificates',
  key: 'Keys',
}

export const EVENT_GROUPS = Object.entries(NOUNS).map(([noun, title]) => ({
  title,
  events: ALL_EVENTS.filter((type) => type.startsWith(`${noun}.`)).map((type) => ({ type, words: WORDS[type] })),
}))

export const eventsText = (events: readonly EventType[]) =>
  events.length === ALL_EVENTS.length ? 'All events' : `${events.length} of ${ALL_EVENTS.length} events`
