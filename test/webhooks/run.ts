import { startPostgres } from '../harness/postgres.ts'
import { runCampaign } from './campaign.ts'

/** `npm run campaign:webhooks [events] [kills]`: on both engines, as long as it takes. */
const [events = 10_000, kills = 10] = process.argv.slice(2).map(Number)

console.log('sqlite', await runCampaign({ events, kills }))
await using server = await startPostgres()
console.log('postgres', await runCampaign({ events, kills, databaseUrl: await server.createDatabase() }))
