import { setTimeout as wait } from 'node:timers/promises'
import { readConfig } from '../../config.ts'
import { CommandError } from '../line/command.ts'
import { keepSignIn, readSignIn, type SignIn } from './sign-in-file.ts'

/** Options of every command that talks to the dashboard of a server. */
export const dashboardOptions = {
  server: {
    type: 'string',
    value: 'ADDRESS',
    help: "the address of the server; this machine's own where it is not given",
  },
} as const

export interface Dashboard {
  readonly origin: string
  /** The body of the answer. Sends again what a busy or restarting server did not take. */
  send<Value>(method: string, path: string, body?: Blob | object): Promise<Value>
}

const TRIES_MAX = 6
const PAUSE_MS = 500

/** The server that is meant. */
export function originOf({ server }: { server: string | undefined }): string {
  const text = server ?? readConfig().baseUrl.href
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin
  throw new CommandError(`--server is "${text}", but must be an address such as https://pets.example.com.`)
}

/** The dashboard as the person who has signed in with `petstore login`. */
export function openDashboard(values: { server: string | undefined }): Dashboard {
  const origin = originOf(values)
  const signIn = readSignIn(origin)
  if (!signIn) throw new CommandError(`Nobody is signed in at ${origin}. Sign in with: ${loginCommand(values)}`)
  let reached = false

  return {
    origin,
    async send<Value>(method: string, path: string, body?: Blob | object): Promise<Value> {
      const response = await persistently(origin, reached, () => ask(origin, signIn, method, path, body))
      reached = true
      if (response.ok) return (response.status === 204 ? undefined : await response.json()) as Value
      const { message } = (await response.json().catch(() => ({}))) as { message?: string }
      if (response.status === 401) {
        throw new CommandError(`The session at ${origin} has ended. Sign in again with: ${loginCommand(values)}`)
      }
      throw new CommandError(message ?? `${origin} answered with status ${response.status}.`)
    },
  }
}

/** Opens a session and keeps it for the commands that follow. */
export async function signInAt(origin: string, email: string, password: string): Promise<SignIn> {
  const known = readSignIn(origin)
  // What this computer is known by keeps its attempts apart from those of strangers.
  const response = await persistently(origin, false, () => ask(origin, known, 'POST', '/sign-in', { email, password }))
  const answer = (await response.json().catch(() => ({}))) as { message?: string; account?: { email: string } }
  if (!response.ok || !answer.account) {
    throw new CommandError(answer.message ?? `${origin} does not answer as a Petstore server.`)
  }
  const pairs = response.headers.getSetCookie().map((line) => line.split(';', 1)[0] as string)
  const cookies = pairs.map((pair) => pair.split('=') as [string, string])
  const signIn = { email: answer.account.email, cookies: Object.fromEntries(cookies) }
  keepSignIn(origin, signIn)
  return signIn
}

function ask(
  origin: string,
  signIn: SignIn | undefined,
  method: string,
  path: string,
  body: Blob | object | undefined,
): Promise<Response> {
  const cookie = Object.entries(signIn?.cookies ?? {})
    .map((pair) => pair.join('='))
    .join('; ')
  const isBlob = body instanceof Blob
  return fetch(`${origin}/dashboard/api${path}`, {
    method,
    headers: {
      Origin: origin,
      'User-Agent': 'petstore command',
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...(body === undefined ? {} : { 'Content-Type': isBlob ? 'application/octet-stream' : 'application/json' }),
    },
    body: body === undefined ? null : isBlob ? body : JSON.stringify(body),
  })
}

/** A server that has answered before may be restarting; one that never has is likelier not to be there. */
async function persistently(origin: string, reached: boolean, attempt: () => Promise<Response>): Promise<Response> {
  for (let tries = 1; ; tries++) {
    try {
      const response = await attempt()
      if (response.status !== 503 || tries === TRIES_MAX) return response
      await response.body?.cancel()
      await wait(Number(response.headers.get('retry-after') ?? 1) * 1000)
    } catch (error) {
      if (!reached || tries === TRIES_MAX) throw unreachable(origin, error)
      await wait(PAUSE_MS * tries)
    }
  }
}

function unreachable(origin: string, error: unknown): CommandError {
  const { cause } = error as { cause?: { code?: string; message?: string } }
  const why = cause?.code ?? cause?.message ?? (error as Error).message
  const hint = /CERT|SIGNATURE|ISSUER/.test(why)
    ? 'Its certificate is not trusted here: point NODE_EXTRA_CA_CERTS at the root that `petstore ca root` prints there.'
    : 'Check the address and that the server runs.'
  return new CommandError(`${origin} cannot be reached (${why}). ${hint}`)
}

const loginCommand = ({ server }: { server: string | undefined }) =>
  `petstore login${server === undefined ? '' : ` --server ${server}`}`
