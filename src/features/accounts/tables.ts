import type { Role } from './role.ts'

export type LinkKind = 'invitation' | 'password' | 'email'
export type FactorKind = 'passkey' | 'codes'
export type ChallengePurpose = 'sign-in' | 'passkey-sign-in' | 'add-passkey' | 'add-codes'

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    accounts: {
      id: string
      /** In the spelling that `parseEmail` gives it; versions before kept domains as DNS writes them. */
      email: string
      name: string
      /** Null until the person has chosen a password through a link. */
      password_hash: string | null
      password_changed_at: number
      /** 1 for those who may set plans. */
      operator: number
      created_at: number
      /** When a mailed link was opened, which shows that the person reads what is sent to the address. */
      email_confirmed_at: number | null
      /** 1 for an account without an invitation until its address is confirmed: where there is mail, it waits. */
      must_confirm: number
    }
    sessions: {
      id: string
      token_hash: string
      account_id: string
      created_at: number
      last_seen_at: number
      expires_at: number
      user_agent: string
      network: string
    }
    /** Each can be used once: using it removes it. */
    one_time_links: {
      id: string
      token_hash: string
      kind: LinkKind
      /** Whose password or address it sets. */
      account_id: string | null
      /** What an invitation gives: a role in a project, and perhaps the operator's rights. */
      project_id: number | null
      role: Role | null
      operator: number
      /** Whom an invitation was made for, as a note to the one who made it; the address that a link confirms. */
      email: string | null
      created_by: string | null
      created_at: number
      expires_at: number
      /** Of the token that was mailed: whoever uses it can read what is sent to the address. */
      mailed_token_hash: string | null
    }
    /** To be sent, and what became of those that were. */
    mails: {
      id: number
      recipient: string
      subject: string
      text: string
      /** The one-time link below the text, and its address until it has been sent. */
      link_id: string | null
      sealed_link: string | null
      created_at: number
      sent_at: number | null
      /** When the mail server last put it off, or did not answer. */
      failed_at: number | null
      /** Why it will never be sent; the mail server's words where it was the one to say no. */
      refusal: string | null
    }
    members: {
      project_id: number
      account_id: string
      role: Role
      joined_at: number
      /** When others made them an owner, unasked; null for whoever created the project or accepted to own it. */
      made_owner_at: number | null
    }
    /** A passkey, or an app that shows one-time codes. */
    second_factors: {
      id: string
      account_id: string
      kind: FactorKind
      name: string
      created_at: number
      last_used_at: number | null
      /** Of codes: sealed, null once it was lost with the master key, and the last step whose code was taken. */
      secret: string | null
      last_step: number | null
      /** Of a passkey. */
      credential_id: string | null
      public_key: string | null
      sign_count: number | null
    }
    /** Each can be used once, in place of a factor. */
    recovery_codes: {
      account_id: string
      code_hash: string
    }
    /** Questions that a browser is about to answer: the second step of signing in, and new factors. */
    factor_challenges: {
      token_hash: string
      purpose: ChallengePurpose
      /** Null while the answer itself will say who it is. */
      account_id: string | null
      challenge: string
      failures: number
      created_at: number
      expires_at: number
    }
  }
}
