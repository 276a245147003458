import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { openPlace, send } from '../support/command-place.ts';
import { startBurrow } from '../support/run-burrow.ts';

beforeAll(() => build({ names: ['server', 'geoip'] }));

describe('burrow demo', () => {
  test('creates a project with events, which --remove deletes', async () => {
    const { run } = await openPlace();
    const { code, stdout, stderr } = await run('demo', '--kind', 'app', '--size', 'small', '--seed', '3');
    const [, id, events] =
      /^Created project (\d+), Wrensong \(demo\): ([\d,]+) events\.\n$/.exec(stdout) ?? [];
    expect([code, stderr, Number(events?.replace(',', '')) > 5_000]).toEqual([0, '', true]);
    const count = await run('query', 'select count() from events', '--project', id!, '--format', 'csv');
    expect(count.stdout).toBe(`count()\n${events!.replace(',', '')}\n`);
    expect(await run('demo', '--remove', '--project', '1')).toMatchObject({
      code: 1,
      stderr: 'Project 1 has no demo data.\n',
    });
    expect((await run('demo', '--remove')).stdout).toBe(`Removed project ${id}, Wrensong (demo).\n`);
    expect(await run('demo', '--remove')).toMatchObject({
      code: 1,
      stderr: 'There is no project with demo data.\n',
    });
    expect((await run('query', 'select 1', '--project', id!)).stderr).toContain('Projects: 1 (Default).');
  });

  test('Ctrl+C cancels it and leaves no project', async () => {
    const { run, dataDir } = await openPlace();
    const command = startBurrow(['demo', '--size', 'large'], { BURROW_DATA_DIR: dataDir });
    const names = async () => (await run('query', 'select 1', '--project', '99')).stderr;
    await expect.poll(names, { timeout: 30_000 }).toContain('Paperboat');
    command.kill('SIGINT');
    expect(await command.ended).toMatchObject({ code: 1, stdout: '', stderr: 'demo was interrupted.\n' });
    await expect.poll(names, { timeout: 30_000 }).toBe('There is no project 99. Projects: 1 (Default).\n');
  });

  test('--live lets events come until Ctrl+C', async () => {
    const { run, dataDir } = await openPlace();
    const command = startBurrow(
      ['demo', '--size', 'small', '--live', '--rate', '6000', '--script', 'outage', '--at', '14:00'],
      { BURROW_DATA_DIR: dataDir },
    );
    const id = async () =>
      /(\d+) \(Paperboat/.exec((await run('query', 'select 1', '--project', '99')).stderr)?.[1];
    await expect.poll(id, { timeout: 60_000 }).toBeDefined();
    const recent = 'select count() > 100 from events where timestamp > now() - interval 2 minute';
    const query = async () =>
      (await run('query', recent, '--project', (await id())!, '--format', 'csv')).stdout;
    await expect.poll(query, { timeout: 60_000 }).toContain('\n1\n');
    command.kill('SIGINT');
    const { code, stdout, stderr } = await command.ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Created project .+\nEvents keep coming in project \d+, Paperboat \(demo\), outage at 14:00\. Ctrl\+C ends it\.\nEnded after [\d,]+ events\.\n$/); // prettier-ignore
  });

  test.each([
    [['--kind', 'bank'], 2, '--kind must be saas, shop or app.'],
    [['--live', '--at', '25:00'], 2, '--at must be a time such as 14:00.'],
    [['--rate', '10'], 1, '--rate is only for --live.'],
    [['--project', '1'], 1, '--project is only for --live and --remove.'],
  ])('%j is refused', async (options, code, text) => {
    const { run } = await openPlace();
    expect(await run('demo', ...options)).toMatchObject({ code, stderr: expect.stringContaining(text) });
  });
});

describe('burrow import', () => {
  test('imports what export has written into another project as equal events, and nothing twice', async () => {
    const { server, folder, run } = await openPlace();
    await send(server, [
      {
        event: 'paid',
        timestamp: '2026-11-01T10:00:00.123456Z',
        properties: '{"n":12345678901234567890,"plan":"pro"}',
      },
      { event: 'seen', timestamp: '2026-11-02T10:00:00Z' },
    ]);
    const headers = { Authorization: `Bearer ${server.personalApiKey}`, 'Content-Type': 'application/json' };
    const made = await fetch(`${server.url}/api/organizations/@current/projects/`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ name: 'Copy' }),
    });
    const { id: project } = (await made.json()) as { id: number };
    for (const format of ['jsonl', 'csv', 'parquet']) {
      const file = join(folder, `events.${format}`);
      expect((await run('export', '--format', format, '-o', file)).code).toBe(0);
      const { code, stdout, stderr } = await run('import', file, '--project', String(project));
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).toMatch(
        /^Imported 2 events of 1 distinct ID from 2 rows\.\nFrom 2026-11-01T10:00:00\.123456Z/,
      );
      expect(stdout.includes('2 events had been stored before')).toBe(format !== 'jsonl');
    }
    const [first, second] = await Promise.all(
      ['1', String(project)].map((id) =>
        run(
          'query',
          'select toString(uuid), event, distinct_id, properties, timestamp from events order by timestamp',
          '--format',
          'jsonl',
          '--project',
          id,
        ),
      ),
    );
    expect(second!.stdout).toBe(first!.stdout);
  });

  test('says what a dry run would store, and writes rows that are not imported to a file', async () => {
    const { folder, run } = await openPlace();
    const file = join(folder, 'orders.csv');
    writeFileSync(file, 'when,who,what\n2026-03-02 08:15,u1,paid\n,u2,paid\n');
    const mapping = join(folder, 'mapping.json');
    const columns = [
      { column: 'when', becomes: 'timestamp' },
      { column: 'who', becomes: 'distinct_id' },
      { column: 'what', becomes: 'event' },
    ];
    writeFileSync(mapping, JSON.stringify({ format: 'custom', columns }));
    const asked = ['import', file, '--mapping', mapping, '--timezone', 'Europe/Berlin'];
    const dry = await run(...asked, '--dry-run');
    expect([dry.code, dry.stdout]).toEqual([
      0,
      expect.stringContaining(
        'Would import 1 event of 1 distinct ID from 2 rows.\nFrom 2026-03-02T07:15:00.000Z',
      ),
    ]);
    expect((await run('query', 'select count() from events', '--format', 'csv')).stdout).toContain('\n0\n');
    const output = join(folder, 'rest.csv');
    const { code, stdout } = await run(...asked, '-o', output, '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'done',
      report: { events: 1, rejected: 1, problems: [{ reason: 'There is no time', row: 3 }] },
    });
    expect(readFileSync(output, 'utf8')).toBe('when,who,what,import_problem\n,u2,paid,There is no time\n');
    expect((await run(...asked, '-o', output)).stderr).toContain('--force');
  });

  test('names what is wrong with a file, a zone or a mapping, and leaves nothing behind', async () => {
    const { folder, dataDir, run } = await openPlace();
    const sums = join(folder, 'imported_visitors_20260101_20260131.csv');
    writeFileSync(sums, 'date,visitors,pageviews,bounces,visits,visit_duration\n2026-01-01,5,9,1,6,300\n');
    for (const [args, code, said] of [
      [[join(folder, 'none.csv')], 1, 'does not exist'],
      [[sums], 1, 'Plausible'],
      [[sums, '--timezone', 'Mars/Base'], 2, '--timezone must be a time zone'],
      [[sums, '--mapping', 'Orders'], 1, 'Mappings: none'],
      [[sums, '--format', 'xml'], 2, '--format'],
    ] as const) {
      const ended = await run('import', ...args);
      expect([ended.code, ended.stderr]).toEqual([code, expect.stringContaining(said)]);
    }
    expect(existsSync(join(dataDir, 'imports')) ? readdirSync(join(dataDir, 'imports')) : []).toEqual([]);
  });
});
