/** Whether this browser, at this address, knows passkeys: they need HTTPS, or localhost by its name. */
export const knowsPasskeys = () =>
  'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential

/** Asks the person's device for a passkey, and gives what it answers as the service takes it. */
export async function showPasskey(options: unknown): Promise<string> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as PublicKeyCredentialRequestOptionsJSON)
  return answered(navigator.credentials.get({ publicKey }), NOT_SHOWN)
}

export async function makePasskey(options: unknown): Promise<string> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as PublicKeyCredentialCreationOptionsJSON)
  return answered(navigator.credentials.create({ publicKey }), NOT_MADE)
}

const NOT_MADE = 'The browser gave no passkey: it was cancelled, or took too long. Try again.'
/** Browsers do not tell which of them it was, and offer none that was made before the service had this address. */
const NOT_SHOWN =
  `The browser gave no passkey: it was cancelled, took too long, or you have none that was made at ` +
  `${location.hostname}. Try again, or sign in another way.`

async function answered(asked: Promise<Credential | null>, failure: string): Promise<string> {
  const credential = await asked.catch((error: DOMException) => {
    if (error.name === 'InvalidStateError') throw new Error('This device has a passkey of your account already.')
    throw new Error(failure)
  })
  return JSON.stringify(credential)
}
