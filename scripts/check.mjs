#!/usr/bin/env node
// npm run check: types, lint, format and house rules.
import { runChecks } from './checks.mjs';

const { failed } = await runChecks([
  { name: 'house rules', command: ['vitest', 'run', '--project', 'house', '--reporter', 'dot'] },
]);
process.exitCode = failed === 0 ? 0 : 1;
