#!/usr/bin/env node
// npm test: builds what is stale, checks, and runs every test. `npm test -- <vitest arguments>` narrows the tests.
import { parseCLI, startVitest } from 'vitest/node';
import { build } from './build.mjs';
import { runChecks } from './checks.mjs';
import { createTestCounter } from './test-counter.mjs';

const built = await buildAll();
const checks = await runChecks();
const tests = await runTests(process.argv.slice(2));

for (const { name, reason } of tests.skipped) console.log(`skipped: ${name}\n    ${reason}`);
const passed = built.passed + checks.passed + tests.passed;
const failed = built.failed + checks.failed + tests.failed;
const skipped = tests.skipped.length > 0 ? `, ${tests.skipped.length} skipped` : '';
console.log(`${passed} passed, ${failed} failed${skipped}`);
process.exitCode = failed === 0 ? 0 : 1;

async function buildAll() {
  try {
    await build();
    console.log('✓ build');
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.log(`✗ build\n${error.message}`);
    return { passed: 0, failed: 1 };
  }
}

async function runTests(args) {
  const counter = createTestCounter();
  const { filter, options } = parseCLI(['vitest', 'run', ...args]);
  const vitest = await startVitest('test', filter, { ...options, reporters: ['default', counter.reporter] });
  await vitest.close();
  return counter.counts;
}
