import type { Order, Pet } from '../types.ts'

interface Event<Type extends string, Data> {
  type: Type
  /** When the change was made, ISO 8601. */
  timestamp: string
  /** Absent where the change belongs to both. */
  environment?: 'production' | 'staging'
  data: Data
}

/** Beside what is named here: details as the audit log shows them. */
type Details = Record<string, string | number | boolean | null>

export type PetEvent = Event<'pet.created' | 'pet.updated' | 'pet.deleted', Pet>
export type OrderEvent = Event<'order.created' | 'order.updated', Order>
export type DeployEvent = Event<'deploy.created' | 'deploy.activated' | 'deploy.deleted', { id: string } & Details>
export type DomainEvent = Event<
  | 'domain.added'
  | 'domain.verified'
  | 'domain.checked'
  | 'domain.changed'
  | 'domain.unserved'
  | 'domain.lost'
  | 'domain.expired'
  | 'domain.served_wrong'
  | 'domain.served_right'
  | 'domain.removed',
  { hostname: string } & Details
>
export type CertificateEvent = Event<
  'certificate.issued' | 'certificate.renewed' | 'certificate.failed' | 'certificate.expiring' | 'certificate.revoked',
  { hostname: string } & Details
>
export type KeyEvent = Event<'key.created' | 'key.rotated' | 'key.revoked', { id: string } & Details>
/** Sent by a click. */
export type TestEvent = Event<'webhook.test', { endpoint: string }>

export type WebhookEvent = PetEvent | OrderEvent | DeployEvent | DomainEvent | CertificateEvent | KeyEvent | TestEvent

/** What an endpoint can choose. */
export type EventType = Exclude<WebhookEvent, TestEvent>['type']
