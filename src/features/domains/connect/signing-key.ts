import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { publicKeyRecords } from '../../../platform/domain-connect/signature.ts'
import { StartError } from '../../../platform/start-error.ts'
import { findSetting, forgetSetting, settledValue } from '../../../platform/storage/setting.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import type { Db } from '../../../platform/storage/tables.ts'

interface SigningKeyNeeds {
  storage: Storage
  /** Seals what is stored. */
  sealer: {
    seal(place: typeof PLACE, secret: string): string
    open(place: typeof PLACE, sealed: string): string
  }
  /** The operator's own, as PEM; one is made where there is none. */
  keyFile: string | undefined
}

export interface SigningKey {
  /** Made when it is first needed: it takes a tenth of a second or two, on a thread of its own. */
  privateKey(): Promise<KeyObject>
  /** What its TXT records say, as far as there is a key. */
  published(): readonly string[]
}

const PLACE = { purpose: 'Domain Connect key', id: 'domain_connect_key' }
const BITS = 2048

/** What signs apply links, so that a DNS provider knows that they are ours. */
export async function openSigningKey({ storage, sealer, keyFile }: SigningKeyNeeds): Promise<SigningKey> {
  let records: readonly string[] = []
  const opened = (pem: string) => {
    const key = createPrivateKey(pem)
    records = publicKeyRecords(createPublicKey(key))
    return key
  }
  const given = keyFile === undefined ? undefined : opened(readKeyFile(keyFile))
  const stored = given ? undefined : await findSetting(storage, PLACE.id)
  let key = given ?? (stored === undefined ? undefined : opened(sealer.open(PLACE, stored)))

  return {
    async privateKey() {
      key ??= opened(
        sealer.open(PLACE, await settledValue(storage, PLACE.id, async () => sealer.seal(PLACE, await make()))),
      )
      return key
    },
    published: () => records,
  }
}

/** For the transaction that gives a master key up: the next link is signed with a new one. Whether there was one. */
export const loseSigningKey = (db: Db) => forgetSetting(db, PLACE.id)

async function make(): Promise<string> {
  const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: BITS })
  return privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
}

function readKeyFile(path: string): string {
  try {
    const pem = readFileSync(path, 'utf8')
    if (createPrivateKey(pem).asymmetricKeyType === 'rsa') return pem
  } catch (error) {
    throw new StartError(
      `PETSTORE_DOMAIN_CONNECT_KEY_FILE ${path} cannot be read as a key: ${(error as Error).message}`,
    )
  }
  throw new StartError(`PETSTORE_DOMAIN_CONNECT_KEY_FILE ${path} must hold an RSA key: other kinds are not for all.`)
}
