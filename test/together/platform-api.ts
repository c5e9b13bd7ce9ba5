import { runTogether } from '../harness/together.ts'

runTogether('test/platform-api/*.test.ts')
