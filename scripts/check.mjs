#!/usr/bin/env node
// npm run check: types, lint, format and house rules. `npm run check -- --sizes` prints how large the project is instead.
import { runChecks } from './checks.mjs';
import { printSizes } from './sizes.mjs';

if (process.argv.includes('--sizes')) {
  printSizes();
} else {
  const { failed } = await runChecks([
    { name: 'house rules', command: ['vitest', 'run', '--project', 'house', '--reporter', 'dot'] },
  ]);
  process.exitCode = failed === 0 ? 0 : 1;
}
