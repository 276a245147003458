// @module-tag deep
import { execFile, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findOnPath } from '../../scripts/find-on-path.mjs';
import { findBrowser } from '../../scripts/chromium.mjs';
import { build } from '../../scripts/build.mjs';
import { PATIENCE_MS } from '../support/patience.ts';
import { inheritedEnvironment } from '../support/start-server.ts';

const execute = promisify(execFile);
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const EXAMPLES = join(ROOT, 'testing/examples');
/** What the examples have beside Burrow, in versions that are tested. */
const OTHERS = [
  'vitest@4.1.12',
  'posthog-node@5.70.0',
  '@playwright/test@1.65.1',
  'jest@30.5.2',
  '@types/jest@30.0.0',
];
const UNREACHABLE = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|ENOTCACHED/;

/** The runners end a test that takes longer than the matchers in it. */
const LIMIT_MS = 4 * PATIENCE_MS;

let folder: string;
/** Why the examples cannot run here; null: they can. */
let noPackages: string | null = null;

async function run(command: string, place: string, env: Record<string, string> = {}): Promise<string> {
  const [program, ...args] = command.split(' ');
  const { stdout, stderr } = await execute(program!, args, {
    cwd: join(folder, place),
    env: { ...withoutTestRunner(), NO_COLOR: '1', CI: '1', BURROW_TEST_TIMEOUT: String(PATIENCE_MS), ...env },
    maxBuffer: 16_777_216,
  }).catch((error: { stdout: string; stderr: string; message: string }) => {
    throw new Error(`${error.message}\n${error.stdout}\n${error.stderr}`);
  });
  return stdout + stderr;
}

/** Vitest and npm tell programs that they start about themselves. */
function withoutTestRunner(): Record<string, string> {
  const kept = Object.entries(inheritedEnvironment()).filter(
    ([name]) => !/^(VITEST|JEST|NODE_ENV$|NODE_OPTIONS$|npm_)/.test(name),
  );
  return Object.fromEntries(kept);
}

beforeAll(async () => {
  await build();
  folder = mkdtempSync(join(tmpdir(), 'burrow-install-'));
  await execute('npm', ['pack', '--pack-destination', folder], { cwd: ROOT });
  for (const name of ['vitest', 'jest', 'playwright', 'pytest', 'go'])
    cpSync(join(EXAMPLES, name), join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }\n');
  const install = readFileSync(join(EXAMPLES, 'install.sh'), 'utf8').trim();
  await run(`${install} ${OTHERS.join(' ')} --prefer-offline --no-audit --no-fund`, '.').catch(
    (error: Error) => {
      if (!UNREACHABLE.test(error.message)) throw error;
      noPackages = 'The examples of docs/testing.md install npm packages, and none can be reached';
    },
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the tarball holds server, console and command line, and DuckDB is its only dependency', async (context) => {
  context.skip(noPackages !== null, noPackages ?? '');
  const manifest = JSON.parse(
    readFileSync(join(folder, 'node_modules/burrow-analytics/package.json'), 'utf8'),
  );
  expect(Object.keys(manifest.dependencies).every((name) => name.startsWith('@duckdb/'))).toBe(true);
  const burrow = join(folder, 'node_modules/.bin/burrow');
  expect(await run(`${burrow} --version`, '.')).toBe(`${manifest.version}\n`);
  const page =
    "require('burrow-analytics/testing').startBurrow().then(async ({ host }) => console.log(await (await fetch(host, { headers: { accept: 'text/html' } })).text()))";
  writeFileSync(join(folder, 'page.cjs'), page);
  expect(await run('node page.cjs', '.')).toContain('<div id="app">');
});

test('its types are those of Vitest, Jest and Playwright too', async (context) => {
  context.skip(noPackages !== null, noPackages ?? '');
  const text = {
    'vitest.ts': `import 'burrow-analytics/testing/vitest';
      import { startBurrow, type Burrow } from 'burrow-analytics/testing';
      import { expect } from 'vitest';
      const burrow: Burrow = await startBurrow({ flags: { a: true, b: 'x' }, persons: [{ distinctId: 'a' }], port: 0 });
      await expect(burrow).toHaveCaptured('signup', { plan: expect.any(String) }, { times: 1 });
      await expect(burrow).not.toHaveCapturedInOrder(['a', ['b', { c: 1 }]]);
      // @ts-expect-error -- a count is a number
      await expect(burrow).toHaveCaptured('signup', {}, { times: 'one' });`,
    'playwright.ts': `import { test as base, expect as baseExpect } from '@playwright/test';
      import { burrowFixtures, matchers, type BurrowFixtures, type BurrowWorkerFixtures } from 'burrow-analytics/testing/playwright';
      const test = base.extend<BurrowFixtures, BurrowWorkerFixtures>(burrowFixtures({ port: 1, hideAutomation: false }));
      const expect = baseExpect.extend(matchers);
      test('a', async ({ page, burrow }) => {
        await page.goto(burrow.host);
        await expect(burrow).toHaveCaptured('signup', { plan: 'pro' });
      });`,
    'jest.ts': `/// <reference types="jest" />
      import 'burrow-analytics/testing/jest';
      import { startBurrow } from 'burrow-analytics/testing';
      test('a', async () => { await expect(await startBurrow()).toHaveCaptured('signup', { plan: 'pro' }); });`,
  };
  for (const [name, source] of Object.entries(text)) writeFileSync(join(folder, `types-${name}`), source);
  const options =
    '--noEmit --strict --target es2023 --module nodenext --types node --typeRoots node_modules/@types';
  const files = Object.keys(text).map((name) => `types-${name}`);
  const tsc = join(ROOT, 'node_modules/.bin/tsc');
  for (const file of files) expect(await run(`${tsc} ${options} ${file}`, '.')).toBe('');
});

const workflow = readFileSync(join(EXAMPLES, 'workflow.yml'), 'utf8');
const steps = [...workflow.matchAll(/- run: (.+)\n +working-directory: (\w+)/g)].map(
  ([, command, place]) => ({
    command: command!,
    place: place!,
  }),
);
const env = { BURROW: '../node_modules/.bin/burrow', GOPROXY: 'off', PYTHONDONTWRITEBYTECODE: '1' };

test('the workflow runs the examples that are tested here', () => {
  expect(steps.map(({ place }) => place)).toEqual(['vitest', 'playwright', 'pytest', 'go']);
});

const stepOf = (name: string) => steps.find(({ place }) => place === name)!.command;

test('the example of Vitest passes', async (context) => {
  context.skip(noPackages !== null, noPackages ?? '');
  expect(
    await run(`${stepOf('vitest')} --testTimeout ${LIMIT_MS} --hookTimeout ${LIMIT_MS}`, 'vitest'),
  ).toMatch(/Tests {2}2 passed/);
});

test('the example of Jest passes', async (context) => {
  context.skip(noPackages !== null, noPackages ?? '');
  expect(await run(`npx jest --testTimeout ${LIMIT_MS}`, 'jest')).toContain('1 passed, 1 total');
});

test('files of one Jest worker share a server that is empty for each', async (context) => {
  context.skip(noPackages !== null, noPackages ?? '');
  const source = readFileSync(join(folder, 'jest/cart.test.js'), 'utf8');
  const checked = source.replace(
    'posthog.capture(',
    "console.log('served by ' + burrow.host, (await burrow.events()).length);\n  posthog.capture(",
  );
  for (const name of ['one', 'two']) writeFileSync(join(folder, `jest/${name}.test.js`), checked);
  const output = await run(`npx jest --runInBand --testTimeout ${LIMIT_MS} one two`, 'jest');
  const lines = [...output.matchAll(/served by \S+ \d+/g)].map(([line]) => line);
  expect(lines).toHaveLength(2);
  expect(new Set(lines).size).toBe(1);
  expect(lines[0]).toMatch(/ 0$/);
});

test('the example of Playwright passes', { tags: ['browser'] }, async (context) => {
  context.skip(noPackages !== null, noPackages ?? '');
  const chromium = { CHROMIUM: findBrowser()! };
  expect(await run(`${stepOf('playwright')} --timeout ${LIMIT_MS}`, 'playwright', chromium)).toContain(
    '2 passed',
  );
  // Without the fixture's part in it, posthog-js sends nothing: the disguise is still needed.
  const spec = join(folder, 'playwright/shop.test.js');
  const text = readFileSync(spec, 'utf8');
  writeFileSync(spec, text.replace('port: 2899', 'port: 2899, hideAutomation: false'));
  await expect(
    run(`${stepOf('playwright')} --grep purchase`, 'playwright', {
      ...chromium,
      BURROW_TEST_TIMEOUT: '5000',
    }),
  ).rejects.toThrow('No event has arrived at all');
});

test('the example of pytest passes', async (context) => {
  context.skip(noPackages !== null, noPackages ?? '');
  const isThere = spawnSync('python3', ['-m', 'pytest', '--version']).status === 0;
  context.skip(!isThere, 'The example of pytest needs: sudo apt-get install python3-pytest');
  expect(await run(`${stepOf('pytest')} -p no:cacheprovider`, 'pytest', env)).toContain('2 passed');
});

test('the example of Go passes', async (context) => {
  context.skip(noPackages !== null, noPackages ?? '');
  context.skip(findOnPath('go') === null, 'The example of Go needs: sudo apt-get install golang-go');
  expect(await run(stepOf('go'), 'go', env)).toMatch(/^ok/);
});
