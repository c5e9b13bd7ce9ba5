import { LONG_CHECKS, QUICK_CHECKS, runBeside, runChecks } from './run.ts'
import { requireSystemPrograms } from './system-programs.ts'

/** Everything: what `npm test` and CI run, on a fresh checkout after `npm ci`. */
requireSystemPrograms()
const [types, ...others] = LONG_CHECKS
// The dashboard once, and not by every service that a test starts; the types, because its build leaves a core idle.
await runChecks([['dashboard', process.execPath, 'scripts/build-dashboard.ts'], ...QUICK_CHECKS, types])
await runBeside(['tests', process.execPath, 'scripts/run-tests.ts'], others)
