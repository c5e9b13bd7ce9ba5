import { runTogether } from '../harness/together.ts'

await runTogether('renewals')
