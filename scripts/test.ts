import { LONG_CHECKS, QUICK_CHECKS, runBeside, runChecks } from './run.ts'
import { requireSystemPrograms } from './system-programs.ts'

/** Everything: what `npm test` and CI run, on a fresh checkout after `npm ci`. */
requireSystemPrograms()
// The dashboard once, and not by every service that a test starts.
await runChecks([['dashboard', process.execPath, 'scripts/build-dashboard.ts'], ...QUICK_CHECKS])
await runBeside(['tests', process.execPath, 'scripts/run-tests.ts'], LONG_CHECKS)
