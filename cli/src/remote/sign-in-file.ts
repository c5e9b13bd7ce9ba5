import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { settings } from '../settings.ts'

/** Who is signed in at a server, and the cookies that prove it; without the session's, whoever was there last. */
export interface SignIn {
  email: string
  cookies: Record<string, string>
}

const isOfSession = (cookie: string) => cookie.endsWith('petstore_session')

export const isSignedIn = ({ cookies }: SignIn) => Object.keys(cookies).some(isOfSession)

export function readSignIn(origin: string): SignIn | undefined {
  return readAll()[origin]
}

/** The server goes on knowing this computer: its next sign-in is no news, and strangers cannot lock it out. */
export function forgetSession(origin: string): void {
  const signIn = readSignIn(origin)
  if (!signIn) return
  const cookies = Object.entries(signIn.cookies).filter(([name]) => !isOfSession(name))
  keepSignIn(origin, { ...signIn, cookies: Object.fromEntries(cookies) })
}

/** Only this user can read it. */
export function keepSignIn(origin: string, signIn: SignIn): void {
  const signIns = { ...readAll(), [origin]: signIn }
  const path = settings().signInsFile
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(signIns)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}

function readAll(): Record<string, SignIn> {
  try {
    return JSON.parse(readFileSync(settings().signInsFile, 'utf8')) as Record<string, SignIn>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return {}
    throw error
  }
}
