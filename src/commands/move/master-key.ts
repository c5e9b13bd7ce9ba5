import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import type { Config } from '../../config.ts'
import { masterKeyFile } from '../../platform/master-key.ts'
import { CommandError } from '../../../cli/src/line/command.ts'
import type { Place } from './place.ts'

type KeyConfig = Pick<Config, 'masterKey' | 'dataDirectory'>

/** Private keys stay sealed as they are: the file goes along where a directory is the target. What is left to do. */
export function carryMasterKey({ masterKey, dataDirectory }: KeyConfig, from: Place, to: Place): string {
  const file = masterKeyFile(from.engine === 'sqlite' ? from.directory : dataDirectory)
  if (masterKey !== undefined || !existsSync(file)) {
    return 'Private keys stay sealed with the master key: start the service with the same PETSTORE_MASTER_KEY.'
  }
  if (to.engine === 'postgres') {
    return (
      `Private keys stay sealed with ${file}: keep PETSTORE_DATA as it is, ` +
      'or set PETSTORE_MASTER_KEY to the contents of that file, the same on every machine.'
    )
  }
  const copy = masterKeyFile(to.directory)
  mkdirSync(to.directory, { recursive: true, mode: 0o700 })
  if (!existsSync(copy)) {
    copyFileSync(file, copy)
    chmodSync(copy, 0o600)
  } else if (readFileSync(copy, 'utf8') !== readFileSync(file, 'utf8')) {
    throw new CommandError(`There is another master key in ${to.directory}. Give a new directory.`)
  }
  return `Private keys stay sealed with the master key, which has been copied to ${copy}`
}
