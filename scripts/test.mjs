#!/usr/bin/env node
// npm test: builds what is stale, checks types, style and house rules, and runs the tests of every rule, twelve journeys
// through the console and one through the desktop app. `npm test -- <vitest arguments>` runs the tests that those name.
import { runChecks } from './checks.mjs';
import { buildForTests, findTagged, printVerdict, runTests } from './run-tests.mjs';

const named = process.argv.slice(2);
const results = [await buildForTests()];
if (named.length > 0) {
  results.push(await runTests(named));
} else {
  const rules = ['unit', 'house', 'contract'].flatMap((project) => ['--project', project]);
  results.push(await runChecks());
  results.push(await runTests(rules, { not: 'deep' }));
  results.push(await runTests(findTagged('journey'), { only: 'journey' }));
}
printVerdict(results);
