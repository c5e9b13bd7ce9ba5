import { after, before, describe } from 'node:test'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { type House, openHouse } from './house.ts'
import { healthGuarantees } from './health.suite.ts'
import { memberGuarantees } from './members.suite.ts'
import { planGuarantees } from './plans.suite.ts'
import { projectGuarantees } from './projects.suite.ts'
import { raceGuarantees } from './races.suite.ts'
import { requestGuarantees } from './requests.suite.ts'
import { secondFactorGuarantees } from './second-factors.suite.ts'
import { sessionGuarantees } from './sessions.suite.ts'
import { storeGuarantees } from './store.suite.ts'
import { suspensionGuarantees } from './suspension.suite.ts'
import { tokenGuarantees } from './tokens.suite.ts'

/** One body of tests for everything that the database has a say in. */
for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    let open: House

    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      open = await openHouse({ databaseUrl: await server?.createSchema() })
    })
    after(async () => {
      await open?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    const house = () => open
    memberGuarantees(house)
    sessionGuarantees(house)
    secondFactorGuarantees(house)
    raceGuarantees(house)
    projectGuarantees(house)
    planGuarantees(house)
    tokenGuarantees(house)
    storeGuarantees(house)
    requestGuarantees(house)
    suspensionGuarantees(house)
    healthGuarantees(house)
  })
}
