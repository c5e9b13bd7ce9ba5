import { LONG_CHECKS, QUICK_CHECKS, runChecks } from './run.ts'

/** The inner loop, in seconds: types, lint, the shape of the house, generated files, and the quick tests. */
await runChecks([
  [
    'the house and the quick tests',
    process.execPath,
    '--test',
    '--test-reporter=dot',
    'test/boundaries.test.ts',
    'test/sql.test.ts',
    'test/openapi/drift.test.ts',
    'src/platform/*.test.ts',
    'src/platform/http/*.test.ts',
    'src/features/{pets,orders,keys}/*.test.ts',
    'reference/*.test.ts',
  ],
  ...LONG_CHECKS,
  // It runs on older versions of Node than the service; the tests build and install it.
  ['types of the command line', 'tsc', '-p', 'cli/tsconfig.build.json', '--noEmit'],
  ...QUICK_CHECKS,
])
