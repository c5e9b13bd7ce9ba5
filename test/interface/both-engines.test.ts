import { after, before, describe } from 'node:test'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { addingGuarantees } from './adding.suite.ts'
import { conditionGuarantees } from './conditions.suite.ts'
import { filterGuarantees } from './filters.suite.ts'
import { keyGuarantees } from './keys.suite.ts'
import { listGuarantees } from './lists.suite.ts'
import { orderGuarantees } from './orders.suite.ts'
import { openShop, type Shop } from './shop.ts'

/** One body of tests for everything that the database has a say in. */
for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    let open: Shop

    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      open = await openShop({ databaseUrl: await server?.createSchema() })
    })
    after(async () => {
      await open?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    const shop = () => open
    listGuarantees(shop)
    filterGuarantees(shop)
    conditionGuarantees(shop)
    addingGuarantees(shop)
    orderGuarantees(shop)
    keyGuarantees(shop)
  })
}
