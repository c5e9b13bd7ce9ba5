import { after, before, describe } from 'node:test'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { type DeployStorage, openDeployStorage } from './deploy-storage.ts'
import { deployGuarantees } from './deploys.suite.ts'
import { garbageGuarantees } from './garbage.suite.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    let opened: DeployStorage

    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      // Empty: it counts what is stored.
      opened = await openDeployStorage(await server?.createDatabase())
    })
    after(async () => {
      await opened?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    deployGuarantees(() => opened)
    garbageGuarantees(() => opened)
  })
}
