import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, readConfig } from '../../src/config.ts'
import type { FirstKeys } from '../../src/service/first-start.ts'
import { type Petstore, startPetstore } from '../../src/main.ts'
import { type Clock, systemClock } from '../../src/platform/clock.ts'
import type { Environment } from '../../src/platform/http/operation.ts'
import { createLog, type Log } from '../../src/platform/log.ts'
import { addressesOn, ownPorts } from './free-ports.ts'
import { layOutSchema } from './schema.ts'

export interface TestPetstore extends AsyncDisposable {
  readonly petstore: Petstore
  readonly config: Config
  readonly keys: FirstKeys
  /** A request to `/v1` of an environment, with its first key unless the headers say otherwise. */
  call(path: string, options?: CallOptions): Promise<Response>
}

interface CallOptions {
  environment?: Environment
  method?: string
  /** A value is sent as JSON; text and bytes are sent as they are. */
  body?: unknown
  headers?: Record<string, string>
}

/** The whole service in this process, on free ports and a data directory that goes away with it. */
export async function startTestPetstore(
  options: {
    clock?: Clock
    environment?: Record<string, string>
    dataDirectory?: string
    keys?: FirstKeys
    log?: Log
  } = {},
): Promise<TestPetstore> {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'petstore-test-'))
  if (!options.dataDirectory && !options.environment?.DATABASE_URL) layOutSchema(dataDirectory)
  const config = readConfig({
    PETSTORE_DATA: dataDirectory,
    ...addressesOn(await ownPorts()),
    PETSTORE_LISTEN: '127.0.0.1',
    PETSTORE_LOG_LEVEL: 'silent',
    ...options.environment,
  })
  const log = options.log ?? createLog(config.logLevel)
  const petstore = await startPetstore(config, options.clock ?? systemClock, log)
  const keys = (petstore.firstKeys ?? options.keys) as FirstKeys

  return {
    petstore,
    config,
    keys,
    call(path, { environment = 'production', method = 'GET', body, headers = {} } = {}) {
      const base = environment === 'production' ? config.baseUrl : config.stagingUrl
      const json = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)
      return fetch(`http://127.0.0.1:${base.port}/v1${path}`, {
        method,
        redirect: 'manual',
        headers: {
          Authorization: `Bearer ${keys?.[environment]}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: json ? JSON.stringify(body) : ((body ?? null) as string | null),
      })
    },
    async [Symbol.asyncDispose]() {
      await petstore[Symbol.asyncDispose]()
      if (!options.dataDirectory) rmSync(dataDirectory, { recursive: true, force: true })
    },
  }
}
