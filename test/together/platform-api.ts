import { runTogether } from '../harness/together.ts'

runTogether('platform-api')
