import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCLI, startVitest } from 'vitest/node';
import { whyNoBrowser } from './chromium.mjs';
import { build } from './build.mjs';

/** How often a run says how far it is. */
const PROGRESS_MS = 8_000;
/** How many files are named that took the most time, and from how many milliseconds on. */
const SLOWEST = 8;
const SLOW_MS = 10_000;

/**
 * What tests and checks have come to: how many passed and failed, which tests failed and how, and how many were skipped
 * for each reason.
 * @typedef {{ passed: number, failed: number, failures?: string[], skipped?: Map<string, number> }} Counts
 */

/**
 * Builds what is stale, which counts as one test.
 * @returns {Promise<Counts>}
 */
export async function buildForTests() {
  try {
    await build();
    console.log('✓ build');
    return { passed: 1, failed: 0 };
  } catch (error) {
    console.log(`✗ build\n${/** @type {Error} */ (error).message}`);
    return { passed: 0, failed: 1 };
  }
}

/**
 * Runs tests and prints how far they are and what fails. `args` are Vitest's. `only` and `not` are tags
 * (vitest.config.ts): tests that carry the one and not the other. Without Chromium those that need it are skipped.
 * @param {readonly string[]} args
 * @param {{ only?: string, not?: string }} [tags]
 * @returns {Promise<Counts>}
 */
export async function runTests(args, { only, not } = {}) {
  const noBrowser = whyNoBrowser();
  const filter = [only, not && `!${not}`, noBrowser && '!browser'].filter(Boolean).join(' && ');
  const counter = createTestCounter({
    reasonOf: ({ tags }) => {
      const isWanted =
        (only === undefined || tags.includes(only)) && !(not !== undefined && tags.includes(not));
      return isWanted && tags.includes('browser') ? noBrowser : null;
    },
  });
  const { filter: files, options } = parseCLI(['vitest', 'run', ...args]);
  const vitest = await startVitest('test', files, {
    ...options,
    ...(filter === '' ? {} : { tagsFilter: [filter] }),
    reporters: ['minimal', counter.reporter],
  });
  await vitest.close();
  return counter.counts;
}

/**
 * The test files that name a tag, wherever they are, so that the others need not be read by Vitest.
 * @param {string} tag
 */
export function findTagged(tag) {
  const isTagged = new RegExp(`tags: \\[[^\\]]*'${tag}'|@module-tag ${tag}\\b`);
  return ['server', 'renderer', 'electron', 'scripts', 'test']
    .flatMap((folder) => readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name))))
    .filter((file) => file.endsWith('.test.ts') && isTagged.test(readFileSync(file, 'utf8')));
}

/**
 * Adds up what was counted, prints what failed, what was skipped and why, and as the last line `N passed, N failed`; sets
 * the exit code. With `BURROW_TEST_SKIPS=fail` in the environment each skipped test counts as a failed one.
 * @param {readonly Counts[]} results
 */
export function printVerdict(results) {
  const [passed, failed] = /** @type {const} */ (['passed', 'failed']).map((key) =>
    results.reduce((total, result) => total + result[key], 0),
  );
  for (const failure of results.flatMap((result) => result.failures ?? [])) console.log(`✗ ${failure}`);
  /** @type {Map<string, number>} */
  const skipped = new Map();
  for (const [reason, tests] of results.flatMap((result) => [...(result.skipped ?? [])]))
    skipped.set(reason, (skipped.get(reason) ?? 0) + tests);
  for (const [reason, tests] of skipped) console.log(`Skipped ${tests}: ${reason}`);

  const left = [...skipped.values()].reduce((total, tests) => total + tests, 0);
  const mustRun = process.env['BURROW_TEST_SKIPS'] === 'fail';
  const failures = failed + (mustRun ? left : 0);
  console.log(`${passed} passed, ${failures} failed${left > 0 && !mustRun ? `, ${left} skipped` : ''}`);
  process.exitCode = failures === 0 ? 0 : 1;
}

/** Where the time goes. @param {readonly import('vitest/node').TestModule[]} modules */
function printSlowest(modules) {
  const taken = modules
    .map((module) => ({ name: module.relativeModuleId, ms: module.diagnostic().duration }))
    .filter(({ ms }) => ms > SLOW_MS)
    .toSorted((a, b) => b.ms - a.ms)
    .slice(0, SLOWEST);
  for (const { name, ms } of taken) console.log(`${String(Math.round(ms / 1000)).padStart(5)} s  ${name}`);
}

/**
 * A Vitest reporter that counts tests and prints progress. A test that a filter of tags has left out counts as skipped
 * when `reasonOf` gives a reason, and not at all otherwise.
 * @param {{ reasonOf: (test: { tags: readonly string[] }) => string | null }} options
 */
function createTestCounter({ reasonOf }) {
  const counts = {
    passed: 0,
    failed: 0,
    failures: /** @type {string[]} */ ([]),
    skipped: /** @type {Map<string, number>} */ (new Map()),
  };
  const running = new Set();
  const started = performance.now();
  const progress = { files: 0, ended: 0, passed: 0, failed: 0 };
  /** @type {NodeJS.Timeout | undefined} */
  let timer;

  function printProgress() {
    const seconds = Math.round((performance.now() - started) / 1000);
    const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    const { files, ended, passed, failed } = progress;
    console.log(
      `  ${time}  ${ended} of ${files} files, ${passed} passed, ${failed} failed  ${[...running].slice(0, 2).join(', ')}`,
    );
  }

  /**
   * @param {string} name
   * @param {readonly { message: string }[]} errors
   */
  function fail(name, errors) {
    counts.failed += Math.max(errors.length, 1);
    counts.failures.push(`${name}: ${errors[0]?.message.split('\n')[0] ?? 'no error was given'}`);
  }

  /** @param {import('vitest/node').TestCase} test */
  function count(test) {
    const { state, note } = /** @type {{ state: string, note?: string }} */ (test.result());
    if (state === 'passed') counts.passed += 1;
    else if (state !== 'skipped') {
      fail(`${test.module.relativeModuleId} > ${test.fullName}`, test.result().errors?.slice(0, 1) ?? []);
    } else {
      const reason = note ?? reasonOf(test);
      if (reason !== null) counts.skipped.set(reason, (counts.skipped.get(reason) ?? 0) + 1);
    }
  }

  /** @type {import('vitest/node').Reporter} */
  const reporter = {
    onTestRunStart(specifications) {
      progress.files = specifications.length;
      timer = setInterval(printProgress, PROGRESS_MS);
    },
    onTestModuleStart: (module) => void running.add(module.relativeModuleId),
    onTestModuleEnd(module) {
      running.delete(module.relativeModuleId);
      progress.ended += 1;
    },
    onTestCaseResult(test) {
      const { state } = test.result();
      if (state === 'passed' || state === 'failed') progress[state] += 1;
      if (state === 'failed') console.log(`  ✗ ${test.module.relativeModuleId} > ${test.fullName}`);
    },
    onTestRunEnd(modules, unhandledErrors, reason) {
      clearInterval(timer);
      if (unhandledErrors.length > 0) fail('Outside of tests', unhandledErrors);
      for (const module of modules) {
        // A file or a suite that cannot be set up holds no test that could fail.
        for (const suite of [module, ...module.children.allSuites()])
          if (suite.errors().length > 0) fail(module.relativeModuleId, suite.errors());
        for (const test of module.children.allTests()) count(test);
      }
      printSlowest(modules);
      if (reason === 'interrupted') fail('The run', [{ message: 'It was interrupted.' }]);
    },
  };
  return { counts, reporter };
}
