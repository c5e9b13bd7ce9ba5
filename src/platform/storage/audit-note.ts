/** Who made a change: a person or their token, the operator at the machine, the service itself, or nobody known. */
export interface Actor {
  kind: 'account' | 'token' | 'command' | 'system' | 'visitor'
  id: string | null
  /** As it was at that moment: an e-mail address, a token's name and its maker's, or a word for the others. */
  name: string
}

/** What happened, in words: `key.revoke` of `key_…`. Details are chosen one by one, so that no secret slips in. */
export interface AuditNote {
  verb: string
  subject: string
  projectId?: number | null
  accountId?: string | null
  details?: Record<string, string | number | boolean | null>
  /** Where the change itself reveals who made it, such as a sign-in. */
  actor?: Actor
}
