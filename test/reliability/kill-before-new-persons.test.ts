import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startServer, type RunningServer } from '../support/start-server.ts';

let folder: string;
let server: RunningServer;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'burrow-births-'));
  server = await startServer({ dataDir: folder });
});
afterEach(async () => {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Person {
  distinct_ids: string[];
  created_at: string;
}

async function send(...batch: object[]): Promise<void> {
  const body = JSON.stringify({ api_key: server.projectApiKey, batch });
  const answer = await fetch(`${server.url}/batch/`, { method: 'POST', body });
  expect(answer.status).toBe(200);
}

async function persons(): Promise<Person[]> {
  const answer = await fetch(`${server.url}/api/projects/1/persons/`, {
    headers: { Authorization: `Bearer ${server.personalApiKey}` },
  });
  return ((await answer.json()) as { results: Person[] }).results;
}

async function killAndStart(): Promise<void> {
  await server.kill();
  server = await startServer({ dataDir: folder });
}

const event = (distinctId: string, properties: object = {}) => ({
  event: 'seen',
  distinct_id: distinctId,
  timestamp: '2026-11-20T08:00:00Z',
  properties,
});
const ids = Array.from({ length: 40 }, (_, n) => `user-${n}`);

test('6.1, 6.2, 6.6.5 a process killed right after its response has every person and placeholder after a restart', async () => {
  await send(...ids.map((id, n) => event(id, n % 2 === 0 ? {} : { $process_person_profile: false })));
  await killAndStart();
  const known = await persons();
  expect(known.flatMap((person) => person.distinct_ids).toSorted()).toEqual(
    ids.filter((_, n) => n % 2 === 0).toSorted(),
  );
  expect(new Set(known.map((person) => Date.parse(person.created_at)))).toEqual(
    new Set([Date.parse('2026-11-20T08:00:00Z')]),
  );

  await send({ ...event('user-0', { $anon_distinct_id: 'user-1' }), event: '$identify' });
  await send(event('user-new'));
  await killAndStart();
  const later = await persons();
  expect(later).toHaveLength(21);
  expect(later.map((person) => person.distinct_ids)).toContainEqual(['user-0', 'user-1']);
});
