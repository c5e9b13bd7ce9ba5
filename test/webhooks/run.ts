import { startPostgres } from '../harness/postgres.ts'
import { runCampaign } from './campaign.ts'

/** `npm run campaign:webhooks [sqlite|postgres] [events] [kills]`, for as long as it takes. */
const [engine = 'sqlite', events = '10000', kills = '10'] = process.argv.slice(2)
const options = { events: Number(events), kills: Number(kills) }

if (engine === 'sqlite') {
  console.log(await runCampaign(options))
} else {
  await using server = await startPostgres()
  console.log(await runCampaign({ ...options, databaseUrl: await server.createDatabase() }))
}
