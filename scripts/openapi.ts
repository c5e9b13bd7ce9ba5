import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createOrderContract, listOrdersContract, updateOrderContract } from '../src/features/orders/contract.ts'
import {
  createPetContract,
  getPetContract,
  listPetsContract,
  updatePetContract,
} from '../src/features/pets/contract.ts'
import { openApiDocument } from '../src/platform/http/openapi/document.ts'

export const OPENAPI_FILE = fileURLToPath(new URL('../openapi.json', import.meta.url))

/** The document as it is checked in. Every running service serves the same one with its own two addresses. */
export function publishedDocument(): string {
  const contracts = [
    listPetsContract,
    createPetContract,
    getPetContract,
    updatePetContract,
    listOrdersContract,
    createOrderContract,
    updateOrderContract,
  ]
  const document = openApiDocument(contracts, {
    production: 'https://api.petstore.example/v1',
    staging: 'https://staging.petstore.example/v1',
  })
  return `${JSON.stringify(document, undefined, 2)}\n`
}

if (import.meta.main) writeFileSync(OPENAPI_FILE, publishedDocument())
