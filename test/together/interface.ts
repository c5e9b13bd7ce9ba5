import { runTogether } from '../harness/together.ts'

runTogether('test/interface/*.test.ts')
