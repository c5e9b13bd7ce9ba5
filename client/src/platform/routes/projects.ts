import type { AuditEntry, Invitation, Member, NewInvitation, Role } from '../accounts.ts'
import type {
  Environment,
  FailedRequest,
  Installation,
  Key,
  NewKey,
  NewToken,
  Notification,
  Overview,
  Project,
  Requests,
  RequestsRange,
  Share,
  Token,
  TokenInUse,
  TokenScope,
  Usage,
} from '../projects.ts'
import type { AuditQuery } from './queries.ts'

/** Projects, and who may do what in them: members, keys, tokens. */
export interface ProjectRoutes {
  'GET /installation': { answer: Installation }

  'GET /projects': { answer: Project[] }
  'POST /projects': { body: { slug: string; name?: string }; answer: Project }
  'GET /projects/{project}': { answer: Project }
  'PATCH /projects/{project}': {
    body: { name?: string; slug?: string; requireSecondFactor?: boolean }
    answer: Project
  }
  'DELETE /projects/{project}': { body: { confirm: string }; answer: void }
  'POST /projects/{project}/leave': { query: { keysTo?: string }; answer: void }
  'GET /projects/{project}/overview': { answer: Overview }
  'GET /projects/{project}/usage': { query: { environment?: Environment; days?: number }; answer: Usage }
  'GET /projects/{project}/requests': { query: { environment?: Environment; range?: RequestsRange }; answer: Requests }
  'GET /projects/{project}/traffic': { query: { range?: RequestsRange }; answer: Requests }
  'GET /projects/{project}/failed-requests': { query: { environment?: Environment }; answer: FailedRequest[] }
  'GET /projects/{project}/shares': { answer: Share[] }
  'GET /projects/{project}/audit': { query: AuditQuery; answer: AuditEntry[] }
  /** Server-sent events named `change`; the data are nouns of what has changed. For an EventSource, not for `call`. */
  'GET /projects/{project}/events': { answer: never }
  'GET /projects/{project}/notifications': { answer: { unread: number; notifications: Notification[] } }
  'POST /projects/{project}/notifications/read': { body: { upTo: number }; answer: void }

  'GET /projects/{project}/members': { answer: Member[] }
  /** Whoever becomes a viewer loses the keys that they have made, unless another member takes them over. */
  'PATCH /projects/{project}/members/{account}': { query: { keysTo?: string }; body: { role: Role }; answer: void }
  /** The keys and tokens that the member has made end, unless another member takes them over. */
  'DELETE /projects/{project}/members/{account}': { query: { keysTo?: string }; answer: void }
  'GET /projects/{project}/invitations': { answer: Invitation[] }
  'POST /projects/{project}/invitations': { body: { role: Role; email?: string }; answer: NewInvitation }
  'GET /invitations/{invitation}/mail': { answer: Pick<Invitation, 'mail' | 'mailRefusal'> }
  'DELETE /projects/{project}/invitations/{invitation}': { answer: void }

  'GET /projects/{project}/keys': { query: { environment?: Environment }; answer: Key[] }
  'POST /projects/{project}/keys': {
    body: {
      environment: Environment
      name?: string
      scopes?: ('read' | 'write')[]
      expiresAt?: string
      /** Counted by the service, and goes before `expiresAt`. */
      expiresInDays?: number
    }
    answer: NewKey
  }
  'POST /projects/{project}/keys/{key}/rotate': { body: { overlapHours?: number }; answer: NewKey }
  'DELETE /projects/{project}/keys/{key}': { answer: Key }

  /** By a token, what it is. */
  'GET /token': { answer: TokenInUse }
  'GET /projects/{project}/tokens': { answer: Token[] }
  'POST /projects/{project}/tokens': {
    body: { name: string; scopes: TokenScope[]; expiresInDays?: number }
    answer: NewToken
  }
  'DELETE /projects/{project}/tokens/{token}': { answer: Token }
}
