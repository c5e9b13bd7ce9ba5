import type { SentImport } from '../../../client/src/platform/platform.ts'
import { platformOf } from './platform.ts'
import type { Environment } from './projects.ts'
import type { NewPet } from './pets.ts'

const IMPORT = '/projects/{project}/environments/{environment}/imports/{sha256}'

interface Named {
  /** Of whoever imports. */
  account: string
  slug: string
  environment: Environment
  sha256: string
}

/** Where the import of a file stands. */
export const findImport = ({ account, slug, environment, sha256 }: Named, signal?: AbortSignal): Promise<SentImport> =>
  platformOf(account).call(`GET ${IMPORT}`, { project: slug, environment, sha256, signal })

export const sendRows = (
  { account, slug, environment, sha256 }: Named,
  body: { after: number; through: number; animals: NewPet[]; last: boolean },
  signal: AbortSignal,
): Promise<SentImport> =>
  platformOf(account).call(`POST ${IMPORT}`, { project: slug, environment, sha256, body, signal })
