import { runTogether } from '../harness/together.ts'

runTogether('src/**/*.test.ts')
