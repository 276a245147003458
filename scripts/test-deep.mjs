#!/usr/bin/env node
// npm run test:deep: what `npm test` leaves out. `--budget ci` (as it is) stays within half an hour on two cores;
// `--budget full` takes all kills, new seeds, and two hours of steady load. `--only deep,browser,…` runs some of the parts.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { buildForTests, findTagged, printVerdict, runTests } from './run-tests.mjs';

/** @typedef {import('./run-tests.mjs').Counts} Counts */

/** @type {Readonly<Record<string, () => Promise<Counts | Counts[]>>>} */
const PARTS = {
  deep: () => runTests(findTagged('deep'), { only: 'deep' }),
  recordings: () => runTests(['--project', 'recordings']),
  judge: () => runTests(['--project', 'judge']),
  // Three on two cores: a third of the time of each goes by without work, while a page waits for the server.
  browser: () => runTests(['--project', 'e2e', '--maxWorkers', '3'], { not: 'journey' }),
  // Its journeys too: the tests of a file share one app, and go on from what the one before has left.
  desktop: () => runTests(['--project', 'desktop']),
  reliability: () => runTests(['--project', 'reliability'], { not: 'soak' }),
  plain: runPlain,
  seeds: runSeeds,
  warehouse: runWithWarehouse,
  soak: () => runTests(['test/reliability/soak.test.ts'], { only: 'soak' }),
};

/** An hour and more of these is more than a change has to wait for. */
const ONLY_FULL = ['warehouse', 'soak'];

const { values } = parseArgs({
  options: { budget: { type: 'string', default: 'ci' }, only: { type: 'string' } },
});
const names =
  values.only?.split(',') ??
  Object.keys(PARTS).filter((name) => values.budget === 'full' || !ONLY_FULL.includes(name));
const unknown = names.filter((name) => !(name in PARTS));
if (unknown.length > 0 || !['ci', 'full'].includes(values.budget)) {
  console.error(`Usage: npm run test:deep -- [--budget ci|full] [--only ${Object.keys(PARTS).join(',')}]`);
  process.exit(2);
}
if (values.budget === 'full') {
  process.env['BURROW_RELIABILITY'] = 'full';
  process.env['FUZZ_SEED'] ??= 'random';
}

const results = [await buildForTests()];
/** @type {string[]} */
const times = [];
for (const name of names) {
  console.log(`\n== ${name}`);
  const started = performance.now();
  results.push(...[await PARTS[name]()].flat());
  times.push(`${String(Math.round((performance.now() - started) / 1000)).padStart(5)} s  ${name}`);
}
console.log(`\n${times.join('\n')}`);
printVerdict(results);

/** What fast paths take part in, without them. Tests of a fast path itself are left out. */
async function runPlain() {
  process.env['BURROW_FAST'] = 'off';
  try {
    return await runTests(['test/recordings', 'server/features/capture', 'server/features/feature-flags'], {
      not: 'fast',
    });
  } finally {
    delete process.env['BURROW_FAST'];
  }
}

/** Insights, HogQL and cohorts once more, answered by ClickHouse beside the file. */
async function runWithWarehouse() {
  process.env['BURROW_TEST_WAREHOUSE'] = 'chdb';
  try {
    return await runTests([
      'server/features/query',
      'server/features/cohorts',
      'server/features/insights',
      'server/features/property-filters',
      'server/hogql',
      'test/contract/query-',
    ]);
  } finally {
    delete process.env['BURROW_TEST_WAREHOUSE'];
  }
}

/** The tests that have failed at a seed, each at that seed once more. */
async function runSeeds() {
  /** @type {{ failures: { seed: number, file: string }[] }} */
  const { failures } = JSON.parse(readFileSync('test/seeds.json', 'utf8'));
  const counts = [];
  const given = process.env['FUZZ_SEED'];
  for (const { seed, file } of failures) {
    process.env['FUZZ_SEED'] = String(seed);
    counts.push(await runTests([file]));
  }
  if (given === undefined) delete process.env['FUZZ_SEED'];
  else process.env['FUZZ_SEED'] = given;
  return counts;
}
