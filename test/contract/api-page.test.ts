import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { sendBySdk, type ShopEvent } from '../support/query-shop.ts';
import { openTestApp, TEST_KEY } from '../support/test-app.ts';

const PAGE = readFileSync('docs/api.md', 'utf8');
const SECTION = /## Queries\n[\s\S]*?(?=\n## )/.exec(PAGE)?.[0] ?? '';
const COMMANDS = [...SECTION.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text!);

const EVENTS: readonly ShopEvent[] = [
  ['$pageview', 'ada', '2026-11-19T08:00:00.000Z'],
  ['$pageview', 'bob', '2026-11-19T09:00:00.000Z'],
  ['invoice paid', 'ada', '2026-11-19T10:00:00.000Z', { amount: 480 }],
  ['invoice paid', 'ada', '2026-11-20T08:00:00.000Z', { amount: 20 }],
];

/** What a shell prints for a command of the page. */
async function run(command: string, url: string): Promise<any> {
  const env = { PATH: process.env['PATH'] ?? '', URL: url, PERSONAL_API_KEY: TEST_KEY };
  const { stdout } = await promisify(execFile)('sh', ['-c', command.replaceAll('curl ', 'curl -s ')], {
    env,
  });
  return JSON.parse(stdout);
}

test('the commands of docs/api.md return the documented results', async () => {
  const app = await openTestApp();
  await sendBySdk(app, EVENTS);
  expect(COMMANDS).toHaveLength(2);
  const sql = await run(COMMANDS[0]!, app.url);
  expect([sql.columns, sql.results]).toEqual([
    ['event', 'persons', 'paid'],
    [
      ['$pageview', 2, null],
      ['invoice paid', 1, 500],
    ],
  ]);
  const funnel = await run(COMMANDS[1]!, app.url);
  expect(funnel.results.map(({ name, count }: any) => [name, count])).toEqual([
    ['$pageview', 2],
    ['invoice paid', 1],
  ]);
});

test('every query kind in docs/api.md is listed by the API', async () => {
  const app = await openTestApp();
  const kinds = [...new Set(SECTION.match(/\b[A-Z][A-Za-z]+Query\b/g))];
  expect(kinds.length).toBeGreaterThan(8);
  const answer = await app.ask('/api/projects/1/query/', {
    method: 'POST',
    body: { query: { kind: 'Nothing' } },
  });
  for (const kind of kinds) expect(answer.json.detail).toContain(kind);
});
