import packageJson from '../../../package.json' with { type: 'json' }
import type { Config } from '../../config.ts'
import { dashboardUrlOf } from '../../platform-api/dashboard.ts'
import type { FirstKeys } from '../../service/first-start.ts'
import { databaseFile } from '../../platform/storage/open.ts'
import { columns } from '../../../cli/src/line/columns.ts'

export interface Start {
  /** Present on the start that created the first project. */
  firstKeys: FirstKeys | undefined
  /** Creates the owner's account, once; comes with the first keys. */
  ownerLink: string | undefined
  /** The slug of the oldest project, if there is one. */
  project: string | undefined
}

/** What a person reads when the service has started: where it listens, and how to get to the first answer. */
export function greeting(config: Config, { firstKeys, ownerLink, project }: Start): string {
  const places = [
    ['production', config.baseUrl.href],
    ['staging', config.stagingUrl.href],
    ['dashboard', dashboardUrlOf(config)],
    ['https', `port ${config.httpsPort}, for sites and custom domains`],
    ['admin', `http://127.0.0.1:${config.adminPort} (/metrics, /livez, /readyz)`],
    ['data', config.databaseUrl ? 'PostgreSQL, as DATABASE_URL says' : databaseFile(config.dataDirectory)],
  ]
  const next = firstKeys ? firstSteps(config, firstKeys, ownerLink) : mintingSteps(project)
  return `Petstore ${packageJson.version} is running.\n\n${columns(places)}\n\n${next}\n`
}

function firstSteps({ baseUrl }: Config, keys: FirstKeys, ownerLink: string | undefined): string {
  const authorization = `-H "Authorization: Bearer ${keys.production}"`
  const animal = `-H "Content-Type: application/json" -d "{\\"name\\":\\"Rex\\",\\"categoryId\\":1}"`
  return `The first project, "petstore", has been created. Its API keys are shown this once:

${columns(Object.entries(keys))}

List its animals, or add one:

  curl ${authorization} ${baseUrl.href}/pets
  curl ${authorization} ${animal} ${baseUrl.href}/pets${ownerLink ? `\n\n${ownerStep(ownerLink)}` : ''}`
}

const ownerStep = (link: string) => `Create your account for the dashboard. This link works once:\n\n  ${link}`

function mintingSteps(project: string | undefined): string {
  const create = `npx petstore keys create --project ${project ?? 'SLUG'} --environment production`
  if (project !== undefined) return `Mint an API key with:\n\n  ${create}`
  return `There is no project yet. Create one, an API key for it, and an account for its dashboard with:

  npx petstore projects create SLUG
  ${create}
  npx petstore users create EMAIL --project SLUG --operator`
}
