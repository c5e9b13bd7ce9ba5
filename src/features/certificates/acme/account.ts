import { createPrivateKeyPem } from '../authority/key-pair.ts'
import { AcmeError, hasType } from './acme-error.ts'
import type { AcmeConnection } from './connection.ts'
import { bindExternalAccount, importSigningKey, type ExternalAccount, type SigningKey } from './jws.ts'
import type { AcmeResponse } from './transport.ts'

/** One account per directory. The private key is a secret: seal it. */
export interface AcmeAccount {
  readonly directoryUrl: string
  readonly privateKeyPem: string
  /** The account's address at the CA; undefined until the CA has confirmed it. */
  readonly url: string | undefined
}

/** Where accounts are kept. Several instances may call at once. */
export interface AccountStore {
  find(directoryUrl: string): Promise<AcmeAccount | undefined>
  /** Keeps this account unless its directory has one, and answers the one that is kept. */
  keep(account: AcmeAccount): Promise<AcmeAccount>
  setUrl(directoryUrl: string, url: string): Promise<void>
}

export interface AccountOptions {
  directoryUrl: string
  contactEmail?: string | undefined
  externalAccount?: ExternalAccount | undefined
}

interface RegisteredAccount {
  url: string
  key: SigningKey
}

interface PostOptions {
  accept?: string
  signal?: AbortSignal | undefined
}

export interface AccountKeeper {
  current(signal?: AbortSignal): Promise<RegisteredAccount>
  /** Sends a request as this account; registers once more, with the same key, when the CA has forgotten it. */
  post(url: string, payload?: object, options?: PostOptions): Promise<AcmeResponse>
}

/**
 * The key is stored before the CA hears of it, and registering a known key answers with its account: whatever
 * crashes in between, one key and one account come out.
 */
export function createAccountKeeper(
  { store, connection }: { store: AccountStore; connection: AcmeConnection },
  { directoryUrl, contactEmail, externalAccount }: AccountOptions,
): AccountKeeper {
  let opened: Promise<RegisteredAccount> | undefined

  const keeper: AccountKeeper = {
    current: (signal) => opened ?? remember(open(signal)),

    async post(url, payload, { accept, signal } = {}) {
      const send = ({ key, url: kid }: RegisteredAccount) =>
        connection.post({ url, key, reference: { kid }, payload, ...(accept === undefined ? {} : { accept }) }, signal)
      const used = keeper.current(signal)
      try {
        return await send(await used)
      } catch (error) {
        if (!hasType(error, 'accountDoesNotExist')) throw error
        return send(await registerAgain(used, signal))
      }
    },
  }
  return keeper

  async function open(signal?: AbortSignal): Promise<RegisteredAccount> {
    const account =
      (await store.find(directoryUrl)) ??
      (await store.keep({ directoryUrl, privateKeyPem: await createPrivateKeyPem(), url: undefined }))
    const key = await importSigningKey(account.privateKeyPem)
    return account.url === undefined ? register(key, signal) : { url: account.url, key }
  }

  /** Requests that fail together wait for one registration. */
  async function registerAgain(used: Promise<RegisteredAccount>, signal?: AbortSignal): Promise<RegisteredAccount> {
    const { key } = await used
    return opened === used ? remember(register(key, signal)) : keeper.current(signal)
  }

  function remember(account: Promise<RegisteredAccount>): Promise<RegisteredAccount> {
    opened = account
    account.catch(() => {
      if (opened === account) opened = undefined
    })
    return account
  }

  async function register(key: SigningKey, signal?: AbortSignal): Promise<RegisteredAccount> {
    const { newAccount, meta } = await connection.directory(signal)
    if (meta?.externalAccountRequired && !externalAccount) {
      const message = 'The CA wants an external account: give its key id and MAC key in the configuration.'
      throw new AcmeError('refused', message, { type: 'externalAccountRequired' })
    }
    const payload = {
      termsOfServiceAgreed: true,
      ...(contactEmail ? { contact: [`mailto:${contactEmail}`] } : {}),
      ...(externalAccount
        ? { externalAccountBinding: await bindExternalAccount(externalAccount, key.jwk, newAccount) }
        : {}),
    }
    const response = await connection.post({ url: newAccount, key, reference: { jwk: key.jwk }, payload }, signal)
    const url = readLocation(response)
    await store.setUrl(directoryUrl, url)
    return { url, key }
  }
}

export function readLocation(response: AcmeResponse): string {
  const location = response.headers.location
  const url = location === undefined ? undefined : URL.parse(location, response.url)
  if (url?.protocol !== 'https:') throw AcmeError.badResponse(`${response.url} gave no address for what it made`)
  return url.href
}
