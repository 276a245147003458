// @module-tag deep
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { startServer, type RunningServer } from '../support/start-server.ts';

interface Holds {
  commit: string;
  projectApiKey: string;
  events: number;
  persons: number;
  dashboards: string[];
  insights: string[];
  flags: string[];
  /** Files from schema-0026 on: of the persons, those whose plan is pro, and a cohort of them. */
  pro?: number;
  cohorts?: string[];
}

/**
 * Created by make.mjs: commits with the current migrations up to that number. The first two are the first ones that can
 * be built, before there were flags; the next two have all checked objects.
 */
const FILES = ['schema-0017', 'schema-0025', 'schema-0026', 'schema-0027', 'this'];
const WITH_FLAGS = new Set(FILES.slice(2));
/** Of a commit whose migrations were changed before they were released. */
const OTHER_BUILD = 'schema-0014';
const LARGEST_BYTES = 1_000_000;

beforeAll(() => build({ names: ['server', 'geoip'] }));

const read = (name: string): Buffer => readFileSync(new URL(`./${name}`, import.meta.url));

async function folderOf(name: string): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'burrow-upgrade-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  await writeFile(join(dataDir, 'burrow.duckdb'), gunzipSync(read(`${name}.duckdb.gz`)));
  return dataDir;
}

async function start(dataDir: string): Promise<RunningServer> {
  const server = await startServer({ dataDir });
  onTestFinished(async () => void (await server.kill()));
  return server;
}

async function refusalOf(dataDir: string): Promise<string> {
  return await startServer({ dataDir }).then(
    async (server) => {
      await server.kill();
      return 'It started.';
    },
    (error: Error) => error.message,
  );
}

async function change(dataDir: string, sql: string): Promise<void> {
  const instance = await DuckDBInstance.create(join(dataDir, 'burrow.duckdb'));
  const connection = await instance.connect();
  await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
}

describe.each(FILES)('the file %s', (name) => {
  test('opens with all its events, persons, flags, insights and dashboards, and accepts new events', async () => {
    const holds = JSON.parse(read(`${name}.json`).toString()) as Holds;
    expect(holds.commit).toMatch(/^[0-9a-f]{7,40}$/);
    expect(read(`${name}.duckdb.gz`).length).toBeLessThan(LARGEST_BYTES);
    const server = await start(await folderOf(name));
    expect(server.projectApiKey).toBe(holds.projectApiKey);
    const ask = async (path: string): Promise<Record<string, unknown>[]> => {
      const headers = { Authorization: `Bearer ${server.personalApiKey}` };
      const answer = await fetch(`${server.url}/api/projects/${server.projectId}/${path}`, { headers });
      expect(answer.status, path).toBe(200);
      return ((await answer.json()) as { results: Record<string, unknown>[] }).results;
    };
    expect(await ask('events/?limit=1000&after=2000-01-01')).toHaveLength(holds.events);
    const persons = await ask('persons/?limit=100');
    expect(persons).toHaveLength(holds.persons);
    expect(persons.every(({ properties }) => 'plan' in (properties as object))).toBe(true);
    expect((await ask('dashboards/')).map((row) => row['name'])).toEqual(
      expect.arrayContaining(holds.dashboards),
    );
    expect((await ask('insights/')).map((row) => row['name'])).toEqual(
      expect.arrayContaining(holds.insights),
    );
    expect((await ask('feature_flags/')).map((row) => row['key'])).toEqual(
      expect.arrayContaining(holds.flags),
    );
    if (WITH_FLAGS.has(name)) await expectFlagsOf(holds, server);

    const body = JSON.stringify({ api_key: holds.projectApiKey, event: 'afterwards', distinct_id: 'user-1' });
    expect((await fetch(`${server.url}/capture/`, { method: 'POST', body })).status).toBe(200);
    expect(await ask('events/?event=afterwards')).toHaveLength(1);
  });
});

/** Flags, a cohort and a tile of a dashboard, which are not only there but answer. */
async function expectFlagsOf(holds: Holds, server: RunningServer): Promise<void> {
  const ask = async (path: string, body?: object): Promise<any> => {
    const headers = {
      Authorization: `Bearer ${server.personalApiKey}`,
      'Content-Type': 'application/json',
    };
    const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const answer = await fetch(`${server.url}${path}`, { headers, ...sent });
    expect(answer.status, path).toBe(200);
    return await answer.json();
  };
  expect(holds.flags).toEqual(['new-checkout', 'pro-only']);
  for (const [id, isPro] of [
    ['user-0', true],
    ['user-1', false],
  ]) {
    const { featureFlags } = await ask('/decide/?v=3', { api_key: holds.projectApiKey, distinct_id: id });
    expect(featureFlags).toMatchObject({ 'new-checkout': true, ...(isPro ? { 'pro-only': true } : {}) });
    expect(featureFlags['pro-only'] === true).toBe(isPro);
  }
  const project = `/api/projects/${server.projectId}`;
  const cohorts = (await ask(`${project}/cohorts/`)).results;
  expect(cohorts.map(({ name }: { name: string }) => name)).toEqual(holds.cohorts);
  const members = await ask(`${project}/cohorts/${cohorts[0].id}/persons/?limit=100`);
  expect(members.results).toHaveLength(holds.pro!);
  const dashboards = (await ask(`${project}/dashboards/`)).results;
  const growth = dashboards.find(({ name }: { name: string }) => name === 'Growth');
  const { tiles } = await ask(`${project}/dashboards/${growth.id}/`);
  expect(tiles[0].insight).toMatchObject({ name: 'Sign-ups', result: [{ count: holds.events / 3 }] });
}

describe('a file is refused with a message, and left without a copy beside it,', () => {
  test.each([
    [
      'when a migration of it differs from ours',
      `UPDATE schema_migrations SET checksum = 'x' WHERE number = 5`,
      /created by a different build of Burrow: its migration 0005-settings does not match this version/,
    ],
    [
      'when it has newer migrations',
      `INSERT INTO schema_migrations VALUES (9999, '9999-later', 'x', now()::TIMESTAMP)`,
      /was written by a newer version of Burrow/,
    ],
  ])('%s', async (_, sql, sentence) => {
    const dataDir = await folderOf('schema-0025');
    await change(dataDir, sql);
    const refusal = await refusalOf(dataDir);
    expect(refusal).toMatch(sentence);
    expect(refusal).not.toMatch(/\n\s+at /);
    expect((await readdir(dataDir)).filter((name) => name.includes('.before-'))).toEqual([]);
  });

  test('when another build created it, whose persons have another shape', async () => {
    const refusal = await refusalOf(await folderOf(OTHER_BUILD));
    expect(refusal).toMatch(/its migration 0003-persons does not match this version/);
  });
});
