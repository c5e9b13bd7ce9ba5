import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** What the command line takes from the environment: nothing else here looks there. */
export const settings = ({ env } = process) => ({
  /** Where nothing else is said: the server that `petstore serve` starts on this machine. */
  server: env.PETSTORE_SERVER || env.PETSTORE_BASE_URL || 'http://localhost:4000',
  /** Whether a server is meant where a database could be, too. */
  isRemote: Boolean(env.PETSTORE_SERVER || env.PETSTORE_TOKEN),
  token: env.PETSTORE_TOKEN || undefined,
  apiKey: env.PETSTORE_KEY || undefined,
  /** Who is signed in where. */
  signInsFile: join(configDirectory(env.XDG_CONFIG_HOME), 'petstore', 'sign-ins.json'),
})

/** As the XDG specification has it: a path that is not absolute is ignored. */
const configDirectory = (chosen = '') => (isAbsolute(chosen) ? chosen : join(homedir(), '.config'))
