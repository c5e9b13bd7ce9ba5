import { runAll } from './run.ts'
import { requireSystemPrograms } from './system-programs.ts'

/** Everything: what `npm test` and CI run, on a fresh checkout after `npm ci`. */
requireSystemPrograms()
await runAll([
  ['types', 'tsc', '-p', '.'],
  ['types of the dashboard', 'tsc', '-p', 'dashboard'],
  ['types of the reference', 'tsc', '-p', 'reference'],
  ['lint', 'oxlint'],
  ['format', 'oxfmt', '--check'],
  ['unused code', 'knip', '--no-progress'],
  // Once, and not by every service that a test starts.
  ['dashboard', process.execPath, 'scripts/build-dashboard.ts'],
  ['tests', process.execPath, 'scripts/run-tests.ts'],
])
