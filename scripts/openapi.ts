import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { orderOperations } from '../src/features/orders/orders.ts'
import { petOperations } from '../src/features/pets/pets.ts'
import { openApiDocument } from '../src/platform/http/openapi/document.ts'
import { documentJson } from '../src/platform/http/openapi/json.ts'

export const OPENAPI_FILE = fileURLToPath(new URL('../openapi.json', import.meta.url))

/** Operations without a service behind them: enough for their contracts. */
const NOTHING = {} as Parameters<typeof petOperations>[0] & Parameters<typeof orderOperations>[0]

/** The document as it is checked in. Every running service serves the same one with its own two addresses. */
export function publishedDocument(): string {
  const contracts = [...petOperations(NOTHING), ...orderOperations(NOTHING)].map(({ contract }) => contract)
  const document = openApiDocument(contracts, {
    production: 'https://api.petstore.example/v1',
    staging: 'https://staging.petstore.example/v1',
  })
  return `${documentJson(document, 2)}\n`
}

if (import.meta.main) writeFileSync(OPENAPI_FILE, publishedDocument())
