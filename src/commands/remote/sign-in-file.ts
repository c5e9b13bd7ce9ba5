import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** Who is signed in at a server, and the cookies that prove it. */
export interface SignIn {
  email: string
  cookies: Record<string, string>
}

const file = () => join(homedir(), '.config', 'petstore', 'sign-ins.json')

export function readSignIn(origin: string): SignIn | undefined {
  return readAll()[origin]
}

/** Only this user can read it; undefined signs out. */
export function keepSignIn(origin: string, signIn: SignIn | undefined): void {
  const signIns = readAll()
  if (signIn) signIns[origin] = signIn
  else delete signIns[origin]
  const path = file()
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(signIns)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, path)
}

function readAll(): Record<string, SignIn> {
  try {
    return JSON.parse(readFileSync(file(), 'utf8')) as Record<string, SignIn>
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return {}
    throw error
  }
}
