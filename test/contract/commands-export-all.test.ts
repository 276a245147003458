import { readdirSync, readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { openPlace, send, type Place } from '../support/command-place.ts';
import { startBurrow } from '../support/run-burrow.ts';

beforeAll(() => build({ names: ['server', 'geoip'] }));

async function create(server: Place['server'], path: string, body: object): Promise<{ id: number }> {
  const headers = { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' };
  const answer = await fetch(`${server.url}/api/projects/1/${path}/`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  expect(answer.status, path).toBe(201);
  return (await answer.json()) as { id: number };
}

/** Two persons, one of them merged of two distinct IDs, a group, and one definition of each kind. */
async function fill({ server }: Place): Promise<void> {
  await send(server, [
    {
      event: 'opened',
      distinct_id: 'device-1',
      timestamp: '2026-10-01T10:00:00.123456Z',
      properties: '{"n":12345678901234567890,"text":"=1+1\\n\\"quoted\\"","$set":{"plan":"free"}}',
    },
    {
      event: '$identify',
      distinct_id: 'ada',
      timestamp: '2026-10-02T10:00:00Z',
      properties: '{"$anon_distinct_id":"device-1","$set":{"plan":"team","size":98765432109876543210}}',
    },
    { event: 'paid', distinct_id: 'ada', timestamp: '2026-10-03T10:00:00Z', properties: '{"amount":9.50}' },
    {
      event: 'paid',
      distinct_id: 'bob',
      timestamp: '2026-11-03T10:00:00Z',
      properties: '{"$set_once":{"plan":"pro"}}',
    },
    {
      event: '$groupidentify',
      distinct_id: 'bob',
      timestamp: '2026-11-04T10:00:00Z',
      properties: '{"$group_type":"company","$group_key":"acme","$group_set":{"size":3}}',
    },
  ]);
  await create(server, 'feature_flags', {
    key: 'checkout',
    filters: { groups: [{ properties: [], rollout_percentage: 50 }] },
  });
  await create(server, 'cohorts', { name: 'Some', is_static: true });
  await create(server, 'actions', { name: 'Pays', steps: [{ event: 'paid' }] });
  await create(server, 'annotations', { content: 'Release', scope: 'project' });
  await create(server, 'surveys', {
    name: 'Why',
    type: 'popover',
    questions: [{ type: 'open', question: 'Why?' }],
  });
  const board = await create(server, 'dashboards', { name: 'Weekly' });
  await create(server, 'insights', {
    name: 'Paid',
    dashboards: [board.id],
    query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'paid' }] },
  });
}

const EVENTS = `select toString(uuid), event, distinct_id, properties, timestamp, person.properties from events order by uuid`;
const PERSONS = `select arraySort(groupArray(pdi.distinct_id)), any(properties) from persons group by id order by 1`;
const GROUPS = `select index, key, properties from groups`;

async function read({ run }: Place): Promise<string[]> {
  const answers = [];
  for (const query of [EVENTS, PERSONS, GROUPS]) {
    const { code, stdout, stderr } = await run('query', query, '--format', 'jsonl');
    expect([code, stderr]).toEqual([0, '']);
    answers.push(stdout);
  }
  return answers;
}

const lines = (file: string): Record<string, unknown>[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('burrow export --all', () => {
  test('M9.12/back writes events, persons, groups and definitions to a folder; events of each format are the same in another Burrow', async () => {
    const place = await openPlace();
    await fill(place);
    const before = await read(place);
    for (const format of ['jsonl', 'csv', 'parquet']) {
      const folder = join(place.folder, format, 'whole');
      const { code, stdout, stderr } = await place.run('export', '--all', folder, '--format', format);
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(
        /^Exported 5 events, 2 persons and 1 group to .+\/whole \([\d.]+ k?B as ZIP\)\.\n$/,
      );
      const other = await openPlace();
      const imported = await other.run('import', join(folder, `events.${format}`));
      expect([imported.code, imported.stderr]).toEqual([0, '']);
      expect(await read(other), format).toEqual(before);
      await other.server.stop();
    }
    const folder = join(place.folder, 'jsonl', 'whole');
    expect(readdirSync(folder).toSorted()).toEqual(
      ['cohort-members.jsonl', 'definitions', 'events.jsonl', 'export.json', 'flags.json', 'groups.jsonl', 'persons.jsonl', 'project.json'], // prettier-ignore
    );
    expect(lines(join(folder, 'persons.jsonl')).map((line) => line['distinct_id']).toSorted()).toEqual(['ada', 'bob', 'device-1']); // prettier-ignore
    expect(lines(join(folder, 'groups.jsonl'))).toEqual([
      {
        group_type: 'company',
        group_type_index: 0,
        group_key: 'acme',
        properties: { size: 3 },
        created_at: expect.any(String),
      },
    ]);
    const definitions = (name: string) =>
      JSON.parse(readFileSync(join(folder, 'definitions', `${name}.json`), 'utf8')) as Record<string, any>[];
    expect(definitions('actions')).toMatchObject([{ name: 'Pays' }]);
    expect(definitions('annotations')).toMatchObject([{ content: 'Release' }]);
    expect(definitions('cohorts')).toMatchObject([{ name: 'Some', is_static: true }]);
    expect(definitions('surveys')).toMatchObject([{ name: 'Why' }]);
    expect(definitions('insights').map(({ name, query }) => [name, query.kind])).toContainEqual([
      'Paid',
      'TrendsQuery',
    ]);
    const board = definitions('dashboards').find(({ name }) => name === 'Weekly');
    expect(board?.['tiles']).toMatchObject([{ insight: { name: 'Paid' } }]);
    expect(
      definitions('event_definitions')
        .map(({ name }) => name as string)
        .toSorted(),
    ).toContain('paid');
    expect(JSON.parse(readFileSync(join(folder, 'export.json'), 'utf8'))).toMatchObject({
      events: 5,
      persons: 2,
      groups: 1,
    });
    expect(readFileSync(join(folder, 'project.json'), 'utf8')).not.toContain(place.server.projectApiKey);
    const flags = JSON.parse(readFileSync(join(folder, 'flags.json'), 'utf8')) as {
      flags: { key: string }[];
    };
    expect(flags.flags.map(({ key }) => key)).toContain('checkout');
    // Nothing is left beside the folder or in the server.
    expect(readdirSync(join(place.folder, 'jsonl'))).toEqual(['whole']);
    expect(readdirSync(join(place.dataDir, 'project-exports'))).toEqual([]);
  });

  test('writes a ZIP archive with the chosen events, and replaces one only when forced to', async () => {
    const place = await openPlace();
    await fill(place);
    const archive = join(place.folder, 'some.zip');
    const chosen = ['export', '--all', archive, '--events', 'paid, opened', '--to', '2026-10-03'];
    expect((await place.run(...chosen)).stdout).toContain('Exported 2 events, 2 persons');
    expect(readdirSync(place.folder).toSorted()).toEqual(['data', 'some.zip']);
    expect(await place.run(...chosen)).toMatchObject({ code: 1, stderr: expect.stringContaining('--force') });
    expect((await place.run(...chosen, '--force')).code).toBe(0);
  });

  test('says what is wrong with its arguments, and replaces no folder that has files', async () => {
    const { folder, run } = await openPlace();
    const full = join(folder, 'full');
    mkdirSync(full);
    writeFileSync(join(full, 'notes.txt'), 'mine');
    for (const [args, code, said] of [
      [['--all'], 2, 'requires a folder'],
      [['--all', full], 1, 'is not empty'],
      [['--all', join(full, 'notes.txt')], 1, 'is no folder'],
      [['--all', join(folder, 'x.zip'), '--from', 'soon'], 2, '--from must be'],
      [['--all', join(folder, 'x.zip'), '-o', 'y'], 2, '--output is not for --all'],
      [[join(folder, 'x.zip')], 2, 'export --all'],
      [['--events', 'paid'], 2, 'export --all'],
    ] as const)
      expect(await run('export', ...args)).toMatchObject({
        code,
        stdout: '',
        stderr: expect.stringContaining(said),
      });
    expect(readFileSync(join(full, 'notes.txt'), 'utf8')).toBe('mine');
  });

  test('Ctrl+C ends it and leaves nothing, neither here nor in the server', async () => {
    const { server, dataDir, folder, run } = await openPlace();
    const some = Array.from({ length: 4_000 }, (_, at) => ({
      event: 'many',
      properties: `{"n":${at},"pad":"${'x'.repeat(500)}"}`,
    }));
    for (let round = 0; round < 15; round++) await send(server, some);
    const archive = join(folder, 'cut.zip');
    const command = startBurrow(['export', '--all', archive], { BURROW_DATA_DIR: dataDir });
    const parts = () =>
      readdirSync(dataDir).includes('project-exports') &&
      readdirSync(join(dataDir, 'project-exports')).length;
    await expect.poll(parts, { timeout: 30_000, interval: 5 }).toBe(1);
    command.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 1, stdout: '', stderr: 'export was interrupted.\n' });
    expect(readdirSync(folder)).toEqual(['data']);
    await expect.poll(() => readdirSync(join(dataDir, 'project-exports'))).toEqual([]);
    // Another one may begin.
    expect((await run('export', '--all', archive)).stdout).toContain('Exported 60,000 events');
  });
});
