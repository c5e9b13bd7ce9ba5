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
  [
    'tests',
    process.execPath,
    '--test',
    // Two cores: more at once only makes each slower.
    '--test-concurrency=2',
    '--test-timeout=240000',
    // A file that does not end fails, and says what it was at.
    '--import=./test/harness/watch-file.ts',
    '{src,test,client,reference}/**/*.test.ts',
  ],
])
