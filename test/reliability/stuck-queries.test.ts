import { expect, test } from 'vitest';
import type { RunningServer } from '../support/start-server.ts';
import { newDataFolder } from './data-folder.ts';
import { run } from './running.ts';

/** One call inside DuckDB that takes a minute and cannot be interrupted: it is computed while the query is planned. */
const stuck = (n: number): string =>
  `select arraySum(arrayMap(x -> levenshteinDistance(repeat(if(x % 2 = 0, 'x', 'y'), 1000), repeat('${'abcdefgh'[n]!}', 1000)), range(20000)))`;
/** Takes all memory there is within one call. */
const BOMB = `select sum(length(bitmapToArray(bitmapBuild(range(number, number + 9999))))) from numbers(200000)`;

const headers = (server: RunningServer): Record<string, string> => ({
  Authorization: `Bearer ${server.personalApiKey}`,
  'Content-Type': 'application/json',
});

async function ask(
  server: RunningServer,
  query: string,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const answer = await fetch(`${server.url}/api/projects/${server.projectId}/query/`, {
    method: 'POST',
    headers: headers(server),
    body: JSON.stringify({ query: { kind: 'HogQLQuery', query } }),
    ...(signal && { signal }),
  });
  return (await answer.json()) as Record<string, unknown>;
}

async function capture(server: RunningServer, id: string): Promise<number> {
  const answer = await fetch(`${server.url}/capture/`, {
    method: 'POST',
    body: JSON.stringify({ api_key: server.projectApiKey, event: 'kept', distinct_id: id }),
  });
  return answer.status;
}

/** How often the server has given up a statement that did not stop. */
const givenUp = (server: RunningServer): number =>
  server.stderr().split('did not stop and was given up').length - 1;

/** Sends a query, and disconnects once the statement runs: it is interrupted, does not stop, and is abandoned as the nth. */
async function abandon(server: RunningServer, n: number): Promise<void> {
  const leaving = new AbortController();
  const asked = ask(server, stuck(n), leaving.signal).catch(() => null);
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  leaving.abort();
  await asked;
  await expect.poll(() => givenUp(server), { timeout: 30_000 }).toBe(n + 1);
}

async function notices(server: RunningServer): Promise<{ id: string; text: string }[]> {
  const answer = await fetch(`${server.url}/api/burrow/notices/`, { headers: headers(server) });
  return ((await answer.json()) as { results: { id: string; text: string }[] }).results;
}

const restarted = async (dataDir: string): Promise<RunningServer> => await run({ dataDir });

test('two statements that cannot be interrupted lose their connections, others are answered, and SIGTERM ends the process', async () => {
  const server = await run({ args: ['--memory-limit', '512MB'] });
  await abandon(server, 0);
  await abandon(server, 1);
  expect(await capture(server, 'a')).toBe(200);
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, at) => ask(server, `select ${at}, count() from numbers(1000)`)),
  );
  expect(answers.map(({ results }) => results)).toEqual(Array.from({ length: 6 }, (_, at) => [[at, 1000]]));
  const { code, signal } = await server.stop();
  // Node waits for such a statement at an exit, so that the process ends itself by a signal after it has drained.
  expect([code, signal]).toEqual([null, 'SIGKILL']);
}, 120_000);

test('with a third one the process stores accepted events and ends, and the next start refuses the queries', async () => {
  const dataDir = await newDataFolder();
  const server = await run({ dataDir, args: ['--memory-limit', '512MB'] });
  expect(await capture(server, 'a')).toBe(200);
  for (const n of [0, 1, 2]) await abandon(server, n);
  await server.exited;
  const again = await restarted(dataDir);
  expect((await ask(again, `select count() from events where event = 'kept'`))['results']).toEqual([[1]]);
  expect(await ask(again, stuck(0))).toMatchObject({
    code: 'memory_limit_exceeded',
    detail: expect.stringMatching(/was stopped/),
  });
  const [notice] = await notices(again);
  expect(notice).toMatchObject({ id: 'query_stopped', text: expect.stringContaining('levenshteinDistance') });
  await again.stop();
  const byHand = await restarted(dataDir);
  expect(await notices(byHand)).toEqual([]);
}, 180_000);

test('A-11 a query that exhausts the memory ends the process, and is named and refused after the restart', async () => {
  const dataDir = await newDataFolder();
  const server = await run({ dataDir, args: ['--memory-limit', '256MB'] });
  expect(await capture(server, 'a')).toBe(200);
  await ask(server, BOMB).catch(() => null);
  await server.exited;
  const again = await restarted(dataDir);
  expect((await ask(again, `select count() from events where event = 'kept'`))['results']).toEqual([[1]]);
  expect(await ask(again, BOMB)).toMatchObject({ code: 'memory_limit_exceeded' });
  const [notice] = await notices(again);
  expect(notice).toMatchObject({ id: 'query_stopped', text: expect.stringContaining('bitmapBuild') });
}, 180_000);
