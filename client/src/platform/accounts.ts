/** Viewers see everything, editors change it, owners also decide who is there. */
export type Role = 'viewer' | 'editor' | 'owner'

export interface Account {
  id: string
  email: string
  name: string
  operator: boolean
  createdAt: string
  /** Whether a mailed link has shown that the person reads what is sent to the address. */
  confirmed: boolean
  /** Where there is mail, nothing else can be done before. */
  mustConfirm: boolean
}

/** Who is signed in, whether strangers may sign up, and whether the service sends mail. */
export interface Session {
  account: Account | null
  signup: 'invite' | 'open'
  mail: boolean
}

/** What an account with passkeys or one-time codes asks for after the password. */
export interface SecondStep {
  /** To be given with the answer, within five minutes. */
  ticket: string
  methods: ('passkey' | 'codes' | 'recovery')[]
  /** The service has lost the secret of an app: its codes sign nobody in any more. */
  codesLost: boolean
  /** For `navigator.credentials.get`, where the account has passkeys. */
  passkey: unknown
}

export interface SecondFactor {
  id: string
  kind: 'passkey' | 'codes'
  name: string
  createdAt: string
  lastUsedAt: string | null
  /** Its codes cannot be checked any more: their secret was lost with the master key of the service. */
  lost: boolean
}

/** Recovery codes come with the first factor, and are shown this once. */
export interface NewSecondFactor {
  factor: SecondFactor
  recoveryCodes: string[] | null
}

/** A place where the account is signed in. */
export interface OpenSession {
  id: string
  createdAt: string
  lastSeenAt: string
  expiresAt: string
  userAgent: string
  network: string
  current: boolean
}

/** What a link that was sent to somebody does. */
export interface LinkView {
  kind: 'invitation' | 'password' | 'email'
  /** Where an invitation leads. */
  project: { slug: string; name: string } | null
  role: string | null
  operator: boolean
  /** Whose password it sets, whom the invitation was made for, or the address that it confirms. */
  email: string | null
  expiresAt: string
}

export interface Member {
  id: string
  email: string
  name: string
  role: Role
  joinedAt: string
}

/** To open an account. */
export interface AccountInvitation {
  id: string
  email: string | null
  createdAt: string
  expiresAt: string
  /** What became of the mail with the link; null where there is none. */
  mail: 'queued' | 'sent' | 'failing' | 'refused' | null
  /** Why it will never be sent, where it was refused. */
  mailRefusal: string | null
}

/** To a project. */
export interface Invitation extends AccountInvitation {
  role: Role
}

/** The link is shown this once. */
export interface NewInvitation extends Invitation {
  link: string
}

/** The link is shown this once. */
export interface NewAccountInvitation extends AccountInvitation {
  link: string
}

export interface AuditEntry {
  id: number
  at: string
  actor: { kind: 'account' | 'token' | 'command' | 'system' | 'visitor'; id: string | null; name: string }
  verb: string
  subject: string
  details: Record<string, string | number | boolean | null>
}
