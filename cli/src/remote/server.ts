import { setTimeout as wait } from 'node:timers/promises'
import {
  createPlatform,
  PetstoreAnswerError,
  PetstoreConnectionError,
  PetstoreError,
  type Platform,
} from '../../../client/src/platform/platform.ts'
import { CommandError, UsageError } from '../line/command.ts'
import { MAY_BE_DONE } from '../line/terminal.ts'
import { settings } from '../settings.ts'
import { isInDoubt, isRemoved, mayBeDone } from './repetition.ts'
import { isSignedIn, keepSignIn, readSignIn, type SignIn } from './sign-in-file.ts'

/** Options of every command that talks to a server. */
export const serverOptions = {
  server: {
    type: 'string',
    value: 'ADDRESS',
    help: "the address of the server; PETSTORE_SERVER, else this machine's own, where it is not given",
  },
} as const

export interface Server extends Calls {
  readonly origin: string
  /** Who asks. */
  readonly by: 'session' | 'token'
}

/** Both send again what a busy or restarting server did not take; what it may have done only if it may come twice. */
type Calls = Pick<Platform, 'call' | 'page'>

const TRIES_MAX = 6
const PAUSE_MS = 500

/** The server that is meant. */
export function originOf({ server }: { server: string | undefined }): string {
  const text = server ?? settings().server
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return new URL(text).origin
  const name = server === undefined ? 'PETSTORE_SERVER' : '--server'
  throw new UsageError(`${name} is "${text}", but must be an address such as https://pets.example.com.`)
}

/** The server by the token of PETSTORE_TOKEN, or as the person who has signed in with `petstore login`. */
export function openServer(values: { server: string | undefined }): Server {
  const { token } = settings()
  if (token === undefined) return openSession(values)
  const origin = originOf(values)
  return { origin, by: 'token', ...connect(origin, { Authorization: `Bearer ${usable(token)}` }) }
}

/** As the person who has signed in, also where there is a token. */
export function openSession(values: { server: string | undefined }): Server {
  const origin = originOf(values)
  const signIn = readSignIn(origin)
  if (!signIn || !isSignedIn(signIn)) {
    const login = nextCommand(values, 'login')
    throw new CommandError(`Nobody is signed in at ${origin}. Sign in with: ${login}\nPrograms set PETSTORE_TOKEN.`)
  }
  const ended = `The session at ${origin} has ended. Sign in again with: ${nextCommand(values, 'login')}`
  const refused = ({ status }: PetstoreError) => (status === 401 ? ended : undefined)
  return { origin, by: 'session', ...connect(origin, cookiesOf(signIn), { refused }) }
}

/** What no header can carry would fail as if the server were not there. */
function usable(token: string): string {
  if (/^[\x21-\x7e]+$/.test(token)) return token
  throw new CommandError('PETSTORE_TOKEN has a character that no token has: copy it again, without spaces.')
}

/** Opens a session and keeps it for the commands that follow. */
export async function signInAt(
  origin: string,
  { email, password, askForCode }: { email: string; password: string; askForCode(): Promise<string> },
): Promise<SignIn> {
  let cookies: Record<string, string> = {}
  // What this computer is known by keeps its attempts apart from those of strangers.
  const { call } = connect(origin, cookiesOf(readSignIn(origin)), {
    answered: ({ headers }) => {
      const pairs = headers.getSetCookie().map((line) => line.split(';', 1)[0] as string)
      cookies = Object.fromEntries(pairs.map((pair) => pair.split('=') as [string, string]))
    },
  })
  const { secondStep } = await call('POST /sign-in', { body: { email, password } })
  if (secondStep) {
    const body = { ticket: secondStep.ticket, code: await askForCode() }
    await call('POST /sign-in/second-step', { body })
  }
  const signIn = { email, cookies }
  keepSignIn(origin, signIn)
  return signIn
}

interface ConnectOptions {
  answered?(response: Response): void
  /** Another sentence than the server's own. */
  refused?(error: PetstoreError): string | undefined
}

function cookiesOf(signIn: SignIn | undefined): Record<string, string> {
  const pairs = Object.entries(signIn?.cookies ?? {})
  return pairs.length === 0 ? {} : { Cookie: pairs.map((pair) => pair.join('=')).join('; ') }
}

function connect(origin: string, proof: Record<string, string>, { answered, refused }: ConnectOptions = {}): Calls {
  let isReached = false
  const own = { Origin: origin, 'User-Agent': 'petstore command', ...proof }
  const platform = createPlatform({
    origin,
    retries: 0,
    async fetch(address, { headers, ...rest } = {}) {
      const response = await fetch(address, { ...rest, headers: { ...(headers as Record<string, string>), ...own } })
      isReached = true
      answered?.(response)
      return response
    },
  })

  return {
    call: (name, given) => sent(name, () => platform.call(name, given), given.signal),
    page: (name, given) => sent(name, () => platform.page(name, given), given.signal),
  }

  async function sent<Answer>(
    operation: string,
    send: () => Promise<Answer>,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    let wasInDoubt = false
    for (let tries = 1; ; tries++) {
      try {
        return await send()
      } catch (error) {
        if (wasInDoubt && isRemoved(operation, error)) return undefined as Answer
        wasInDoubt ||= mayBeDone(error)
        const inDoubt = isInDoubt(operation, error)
        const pauseMs = tries === TRIES_MAX || inDoubt ? undefined : pauseBefore(tries, error, isReached)
        if (pauseMs === undefined) {
          const sentence = error instanceof PetstoreError ? refused?.(error) : undefined
          throw new CommandError(sentence ?? sentenceOf(error, origin, inDoubt), { cause: error })
        }
        await wait(pauseMs, undefined, signal && { signal })
      }
    }
  }
}

/** A server that has answered before may be restarting; one that never has is likelier not to be there. */
function pauseBefore(tries: number, error: unknown, isReached: boolean): number | undefined {
  if ((error instanceof PetstoreError || error instanceof PetstoreAnswerError) && error.status === 503) {
    return (error.retryAfterSeconds ?? 1) * 1000
  }
  return error instanceof PetstoreConnectionError && isReached ? PAUSE_MS * tries : undefined
}

function sentenceOf(error: unknown, origin: string, inDoubt: boolean): string {
  if (inDoubt && !(error instanceof PetstoreConnectionError)) {
    return `The answer of ${origin} does not tell the outcome (${(error as PetstoreError).status}). ${MAY_BE_DONE}`
  }
  if (error instanceof PetstoreError) return error.message
  if (!(error instanceof PetstoreConnectionError)) return `${origin} does not answer as a Petstore server.`
  const { message, cause } = error.cause as Error & { cause?: { code?: string; message?: string } }
  const why = cause?.code ?? cause?.message ?? message
  if (inDoubt) return `The answer of ${origin} was lost (${why}). ${MAY_BE_DONE}`
  const hint = /CERT|SIGNATURE|ISSUER/.test(why)
    ? 'Its certificate is not trusted here: point NODE_EXTRA_CA_CERTS at the root that `petstore ca root` prints there.'
    : 'Check the address and that the server runs.'
  return `${origin} cannot be reached (${why}). ${hint}`
}

/** What somebody may type next, for the same server. */
export const nextCommand = ({ server }: { server?: string | undefined }, words: string) =>
  `petstore ${words}${server === undefined ? '' : ` --server ${server}`}`
