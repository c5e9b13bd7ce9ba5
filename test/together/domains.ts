import { runTogether } from '../harness/together.ts'

runTogether('test/domains/*.test.ts')
