import type {
  Account,
  AuditEntry,
  LinkView,
  NewSecondFactor,
  OpenSession,
  SecondFactor,
  SecondStep,
  Session,
} from '../accounts.ts'
import type { AuditQuery } from './queries.ts'

interface SignedIn {
  account: Account
}

type SignInAnswer = { account: Account; secondStep: null } | { account: null; secondStep: SecondStep }

/** Who somebody is, and how they prove it. */
export interface AccountRoutes {
  'GET /session': { answer: Session }
  'POST /sign-in': {
    body: { email: string; password: string }
    answer: SignInAnswer
  }
  'POST /sign-in/second-step': { body: { ticket: string; code?: string; passkey?: string }; answer: SignedIn }
  'POST /sign-in/passkey/options': { body: {}; answer: { ticket: string; options: unknown } }
  'POST /sign-in/passkey': { body: { ticket: string; passkey: string }; answer: SignedIn }
  'POST /sign-up': { body: { email: string; name: string; password: string; token?: string }; answer: SignedIn }
  'POST /sign-out': { answer: void }
  'POST /links/inspect': { body: { token: string }; answer: LinkView }
  'POST /invitations/accept': { body: { token: string }; answer: { project: { slug: string; name: string } | null } }
  'POST /password': { body: { currentPassword: string; newPassword: string }; answer: SignedIn }
  'POST /password/reset': { body: { token: string; password: string }; answer: SignInAnswer }
  'POST /password/forgot': { body: { email: string }; answer: void }
  'PATCH /account': { body: { name: string }; answer: SignedIn }
  'GET /account/second-factors': { answer: { factors: SecondFactor[]; recoveryCodesLeft: number } }
  'POST /account/second-factors/codes': {
    body: { currentPassword: string }
    answer: { ticket: string; secret: string; uri: string }
  }
  'POST /account/second-factors/codes/confirm': {
    body: { ticket: string; code: string; name: string }
    answer: NewSecondFactor
  }
  'POST /account/second-factors/passkey': {
    body: { currentPassword: string }
    answer: { ticket: string; options: unknown }
  }
  'POST /account/second-factors/passkey/confirm': {
    body: { ticket: string; passkey: string; name: string }
    answer: NewSecondFactor
  }
  'POST /account/second-factors/{factor}/remove': { body: { currentPassword: string }; answer: void }
  'POST /account/recovery-codes': { body: { currentPassword: string }; answer: { recoveryCodes: string[] } }
  /** `sentTo` names the address that has to be confirmed first; null when it has been changed. */
  'POST /account/email': {
    body: { email: string; currentPassword: string }
    answer: SignedIn & { sentTo: string | null }
  }
  'POST /account/email/confirmation': { answer: { sentTo: string } }
  'POST /account/email/confirm': { body: { token: string }; answer: { email: string } }
  'GET /account/audit': { query: AuditQuery; answer: AuditEntry[] }
  'GET /sessions': { answer: OpenSession[] }
  'DELETE /sessions/{session}': { answer: void }
  'POST /sessions/end-others': { answer: { ended: number } }
}
