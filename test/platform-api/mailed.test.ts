import { after, before, describe } from 'node:test'
import { startSmtpServer } from '../domains/smtp-server.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { openHouse } from './house.ts'
import { confirmationGuarantees } from './confirmed.suite.ts'
import { mailGuarantees } from './mailed.suite.ts'
import type { MailedWorld } from './mailed-world.ts'
import { noticeGuarantees } from './notices.suite.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    let world: MailedWorld

    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      const smtp = await startSmtpServer()
      const environment = {
        PETSTORE_SMTP_URL: smtp.url,
        PETSTORE_MAIL_FROM: 'Petstore <news@petstore.test>',
        PETSTORE_SMTP_TLS: 'optional',
        PETSTORE_SIGNUP: 'open',
      }
      const house = await openHouse({ databaseUrl: await server?.createSchema(), environment })
      world = { house, smtp }
    })
    after(async () => {
      await world?.house[Symbol.asyncDispose]()
      await world?.smtp[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    mailGuarantees(() => world)
    noticeGuarantees(() => world)
    confirmationGuarantees(() => world)
  })
}
