import { runChecks, runLast } from './run.ts'
import { requireSystemPrograms } from './system-programs.ts'

/** Everything: what `npm test` and CI run, on a fresh checkout after `npm ci`. */
requireSystemPrograms()
await runChecks([
  // Once, and not by every service that a test starts.
  ['dashboard', process.execPath, 'scripts/build-dashboard.ts'],
  ['unused code', 'knip', '--no-progress'],
  ['types', 'tsc', '-p', '.'],
  ['types of the dashboard', 'tsc', '-p', 'dashboard'],
  ['types of the reference', 'tsc', '-p', 'reference'],
  ['lint', 'oxlint'],
  ['format', 'oxfmt', '--check'],
])
await runLast(['tests', process.execPath, 'scripts/run-tests.ts'])
