/** Everything that an endpoint can hear of. Runs in a browser too. */
export const EVENT_TYPES = [
  'pet.created',
  'pet.updated',
  'pet.deleted',
  'order.created',
  'order.updated',
  'deploy.created',
  'deploy.activated',
  'deploy.deleted',
  'domain.added',
  'domain.verified',
  'domain.checked',
  'domain.changed',
  'domain.unserved',
  'domain.lost',
  'domain.expired',
  'domain.served_wrong',
  'domain.served_right',
  'domain.removed',
  'certificate.issued',
  'certificate.renewed',
  'certificate.failed',
  'certificate.expiring',
  'certificate.revoked',
  'key.created',
  'key.rotated',
  'key.revoked',
] as const

export type EventType = (typeof EVENT_TYPES)[number]

/** Sent by a click, to one endpoint, whatever it has chosen. */
export const TEST_TYPE = 'webhook.test'
