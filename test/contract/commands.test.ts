import { DuckDBInstance } from '@duckdb/node-api';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir, rm, stat } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { newFolder, openPlace, send, type Place, type Sent } from '../support/command-place.ts';
import { burrow, startBurrow, type RunningCommand } from '../support/run-burrow.ts';
import { startServer, type RunningServer } from '../support/start-server.ts';

beforeAll(() => build({ names: ['server', 'geoip'] }));

/** One server for the tests of a group, which do not end it. */
function shareServer(fill: (server: RunningServer) => Promise<void>): () => Place {
  let place: Place;
  const atEnd: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    place = await openPlace((work) => void atEnd.unshift(work));
    await fill(place.server);
  });
  afterAll(async () => {
    for (const work of atEnd) await work();
  });
  return () => place;
}

function keyOf(dataDir: string): string {
  return (JSON.parse(readFileSync(join(dataDir, 'burrow.json'), 'utf8')) as { key: string }).key;
}

describe('burrow tail', () => {
  function tail(dataDir: string, ...args: string[]): RunningCommand {
    const command = startBurrow(['tail', ...args], { BURROW_DATA_DIR: dataDir });
    onTestFinished(() => command.kill('SIGKILL'));
    return command;
  }

  /** Sends an event until the command shows it: it begins when its stream is open. */
  async function seen(
    server: RunningServer,
    command: RunningCommand,
    event: Sent,
    text = event.event,
  ): Promise<void> {
    const shows = async () => {
      await send(server, [event]);
      return command.stdout().includes(text);
    };
    await expect.poll(shows).toBe(true);
  }

  test('prints a line for each event as it arrives, and ends with 0 at Ctrl+C', async () => {
    const { server, dataDir } = await openPlace();
    const command = tail(dataDir);
    await seen(server, command, {
      event: 'invoice paid',
      properties: '{"plan":"pro","amount":4.5,"$lib":"web"}',
    });
    command.kill('SIGINT');
    const { code, stdout, stderr } = await command.ended;
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout.split('\n')[0]).toMatch(
      /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} {2}invoice paid +u1 +plan=pro amount=4\.5 \$lib=web$/,
    );
    expect(stdout).not.toContain(keyOf(dataDir));
  });

  test('prints only events with the name and the properties that were given, as JSON with --json', async () => {
    const { server, dataDir } = await openPlace();
    const command = tail(
      dataDir,
      '--json',
      '--event',
      'paid',
      '--property',
      'plan=pro',
      '--property',
      'seats=3',
    );
    await send(server, [{ event: 'other', properties: '{"plan":"pro","seats":3}' }]);
    await send(server, [{ event: 'paid', properties: '{"plan":"free","seats":3}' }]);
    await seen(server, command, {
      event: 'paid',
      properties: '{"plan":"pro","seats":3,"id":12345678901234567890}',
    });
    const [event] = command
      .stdout()
      .split('\n')
      .slice(0, 1)
      .map((line) => JSON.parse(line));
    expect(event).toMatchObject({ event: 'paid', distinct_id: 'u1' });
    expect(event.properties).toMatchObject({ plan: 'pro', seats: 3, id: '12345678901234567890' });
    expect(command.stdout()).not.toMatch(/other|free/);
  });

  test('control characters of an event are shown and not obeyed', async () => {
    const { server, dataDir } = await openPlace();
    const [command, json] = [tail(dataDir), tail(dataDir, '--json')];
    const properties = String.raw`{"title":"\u001b]0;owned\u0007 \u009b31m \u202e a\nb"}`;
    await seen(server, command, { event: 'hostile \u001b[2J', properties }, 'hostile');
    await seen(server, json, { event: 'hostile', properties });
    expect(command.stdout()).toContain(String.raw`\u001b[2J`);
    expect(command.stdout()).toContain(String.raw`title=\u001b]0;owned\u0007 \u009b31m \u202e a\u000ab`);
    // A line feed ends each line; nothing else of this kind may reach a terminal.
    for (const text of [command.stdout(), json.stdout()]) expect(text).not.toMatch(/[^\P{Cc}\n]/u);
  });

  test('goes on when the server is killed and restarts', async () => {
    const { server, dataDir } = await openPlace();
    const command = tail(dataDir);
    await seen(server, command, { event: 'before' });
    await server.kill();
    await expect.poll(() => command.stderr()).toContain('Waiting for it to come back.');
    const second = await startServer({ dataDir });
    onTestFinished(async () => void (await second.kill()));
    await seen(second, command, { event: 'after' });
    expect(command.stderr()).toContain('Connected again.');
    await second.stop();
    command.kill('SIGTERM');
    expect((await command.ended).code).toBe(0);
  });

  test('ends when the reader of its output has left', async () => {
    const { server, dataDir } = await openPlace();
    const command = startBurrow(['tail'], { BURROW_DATA_DIR: dataDir });
    onTestFinished(() => command.kill('SIGKILL'));
    await seen(server, command, { event: 'first' });
    command.closeOutput();
    let hasEnded = false;
    void command.ended.then(() => (hasEnded = true));
    const sends = async () => {
      await send(server, [{ event: 'next' }]);
      return hasEnded;
    };
    await expect.poll(sends).toBe(true);
  });
});

describe('burrow query', () => {
  const shared = shareServer((server) =>
    send(server, [{ event: 'view' }, { event: 'view' }, { event: 'paid' }]),
  );

  test('prints a table with aligned columns', async () => {
    const { run } = shared();
    const statement = 'select event, count() as n from events group by event order by n desc';
    expect(await run('query', statement)).toEqual({
      code: 0,
      stdout: 'event  n\n─────  ─\nview   2\npaid   1\n2 rows\n',
      stderr: '',
    });
    const many = await run('query', 'select number from numbers(101)');
    expect(many.stdout).toContain('100 rows');
    expect(many.stderr).toContain('These are the first 100 rows.');
  });

  test('prints all rows as JSON, CSV and JSON lines', async () => {
    const { run } = shared();
    const statement =
      'select number as n, \'a,"b"\' as text, 12345678901234567890 as id from numbers(101) order by n';
    const expected = Array.from({ length: 101 }, (_, n) => ({
      n,
      text: 'a,"b"',
      id: '12345678901234567890',
    }));
    const json = await run('query', statement, '--format', 'json');
    expect(JSON.parse(json.stdout)).toEqual(expected);
    const lines = await run('query', statement, '--format=jsonl');
    expect(
      lines.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(expected);
    const csv = await run('query', statement, '--format', 'csv');
    expect(csv.stdout.split('\n').slice(0, 2)).toEqual(['n,text,id', '0,"a,""b""",12345678901234567890']);
    expect(csv.stdout.trimEnd().split('\n')).toHaveLength(102);
  });

  test('an error shows its line with the place underlined, and ends with 1', async () => {
    const { dataDir } = shared();
    const statement = 'select event,\n\tcount()\nfrom evnts where true';
    expect(await burrow(['query', '-'], { BURROW_DATA_DIR: dataDir }, statement)).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'Line 3, column 6: Unknown table "evnts". Did you mean "events"?\n\nfrom evnts where true\n     ^^^^^\n',
    });
  });

  test('a project that does not exist is named with those that do', async () => {
    const { run } = shared();
    expect(await run('query', 'select 1', '--project', '9')).toMatchObject({
      code: 1,
      stderr: 'There is no project 9. Projects: 1 (Default).\n',
    });
  });
});

describe('burrow export', () => {
  const PROPERTIES = String.raw`{"big":12345678901234567890,"text":"ü \" \u0000 \n 🦫","list":[1,{"a":null}],"":"=1+1"}`;
  const CHAIN = 'button.buy:text="Buy"nth-child="2"';

  const shared = shareServer((server) =>
    send(server, [
      {
        event: 'late',
        timestamp: '2026-03-02T08:15:30.123Z',
        properties: `{"$elements_chain":${JSON.stringify(CHAIN)}}`,
      },
      { event: 'early', timestamp: '2026-03-01T23:59:59.999Z', properties: PROPERTIES },
      {
        event: '$set',
        distinct_id: 'u2',
        timestamp: '2026-03-03T00:00:00Z',
        properties: '{"$set":{"email":"a@b.c"}}',
      },
    ]),
  );

  test("writes JSON lines with the fields of PostHog's batch exports, oldest first, digit by digit", async () => {
    const { run } = shared();
    const { code, stdout, stderr } = await run('export');
    expect([code, stderr]).toEqual([0, 'Exported 3 events.\n']);
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toContain(`"properties":${PROPERTIES.slice(0, -1)}`);
    const events = lines.map((line) => JSON.parse(line));
    expect(events.map(({ event }) => event)).toEqual(['early', 'late', '$set']);
    expect(Object.keys(events[0])).toEqual([
      'uuid',
      'event',
      'distinct_id',
      'person_id',
      'properties',
      'person_properties',
      'elements_chain',
      'timestamp',
      'created_at',
    ]);
    expect(events[1]).toMatchObject({
      elements_chain: CHAIN,
      timestamp: '2026-03-02T08:15:30.123000Z',
      uuid: expect.stringMatching(/^[\da-f-]{36}$/),
    });
    expect(events[2].person_properties).toMatchObject({ email: 'a@b.c' });
  });

  test('writes only events of the name and the time that were chosen', async () => {
    const { run } = shared();
    const names = async (...args: string[]) =>
      (await run('export', ...args)).stdout
        .split('\n')
        .flatMap((line) => (line === '' ? [] : [JSON.parse(line).event]));
    expect(await names('--from', '2026-03-02')).toEqual(['late', '$set']);
    expect(await names('--to', '2026-03-02')).toEqual(['early', 'late']);
    expect(await names('--from', '2026-03-02', '--to', '2026-03-02T08:15:30.123Z')).toEqual(['late']);
    expect(await names('--event', 'early')).toEqual(['early']);
    expect(await names('--event', "x' or 1=1 --")).toEqual([]);
    expect(await run('export', '--from', 'soon')).toMatchObject({ code: 2, stdout: '' });
  });

  test('writes CSV and Parquet files with the same events', async () => {
    const { run, folder } = shared();
    for (const format of ['csv', 'parquet']) {
      const file = join(folder, `events.${format}`);
      expect(await run('export', '--format', format, '-o', file)).toMatchObject({
        code: 0,
        stdout: '',
        stderr: `Exported 3 events to ${file}.\n`,
      });
      const connection = await (await DuckDBInstance.create()).connect();
      const reader = format === 'csv' ? `read_csv('${file}', all_varchar = true)` : `read_parquet('${file}')`;
      const rows = await connection.runAndReadAll(
        `SELECT event, json_extract_string(properties, '$.big'), epoch_ms(timestamp::TIMESTAMP)::DOUBLE FROM ${reader} ORDER BY timestamp`,
      );
      expect(rows.getRows().slice(0, 2)).toEqual([
        ['early', '12345678901234567890', Date.parse('2026-03-01T23:59:59.999Z')],
        ['late', null, Date.parse('2026-03-02T08:15:30.123Z')],
      ]);
      connection.closeSync();
    }
  });

  test('writes every event once where they are more than one request takes', { tags: ['deep'] }, async () => {
    const { server, dataDir, folder, run } = await openPlace();
    const [REQUESTS, EACH] = [6, 10_000];
    for (let request = 0; request < REQUESTS; request++) {
      const events = Array.from({ length: EACH }, (_, at): Sent => {
        const time = Date.parse('2026-01-01T00:00:00Z') + Math.floor(at / 3) * (1 + request);
        return {
          event: 'many',
          timestamp: new Date(time).toISOString(),
          properties: `{"n":${request * EACH + at}}`,
        };
      });
      await send(server, events);
    }
    const file = join(folder, 'many.jsonl');
    expect((await run('export', '-o', file)).stderr).toBe(`Exported 60,000 events to ${file}.\n`);
    const events = readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(new Set(events.map(({ properties }) => properties.n)).size).toBe(REQUESTS * EACH);
    const times = events.map(({ timestamp }) => timestamp as string);
    expect(times).toEqual(times.toSorted());

    // Ctrl+C, and then a server that is killed, while the file is written.
    const ends: [(command: RunningCommand) => void, string][] = [
      [(command) => command.kill('SIGINT'), 'export was interrupted.\n'],
      [() => void server.kill(), 'The server has closed the connection.\n'],
    ];
    for (const [end, stderr] of ends) {
      const cut = join(folder, 'cut.jsonl');
      const command = startBurrow(['export', '-o', cut], { BURROW_DATA_DIR: dataDir });
      await expect.poll(() => existsSync(`${cut}.part`)).toBe(true);
      end(command);
      expect(await command.ended).toEqual({ code: 1, stdout: '', stderr });
      expect(readdirSync(folder).toSorted()).toEqual(['data', 'many.jsonl']);
    }
  });

  test('replaces a file only with --force, and leaves none when it fails', async () => {
    const { run, folder } = shared();
    const file = join(folder, 'events.jsonl');
    writeFileSync(file, 'mine');
    expect(await run('export', '-o', file)).toMatchObject({
      code: 1,
      stderr: `${file} exists. Choose another name, or replace it with --force.\n`,
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await run('export', '-o', file, '--force')).code).toBe(0);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(4);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const nowhere = join(folder, 'none', 'b.jsonl');
    const { code, stderr } = await run('export', '-o', nowhere);
    expect([code, stderr]).toEqual([1, `ENOENT: no such file or directory, open '${nowhere}.part'\n`]);
  });
});

describe('burrow backup', () => {
  const CREATED = /^Created (.+): [\d.]+ MB, 2 events\.\n$/;

  async function openWithEvents(): Promise<Place> {
    const place = await openPlace();
    await send(place.server, [{ event: 'a' }, { event: 'b' }]);
    return place;
  }

  test('the running server creates one in its folder, or under a name of its own', async () => {
    const { run, dataDir, folder } = await openWithEvents();
    const [, path] = CREATED.exec((await run('backup')).stdout)!;
    expect(path).toMatch(/backups.burrow-\d{8}-\d{6}\.duckdb$/);
    expect((await run('check', path!)).stdout).toContain('including 2 events');
    const named = join(folder, 'named.duckdb');
    expect(CREATED.exec((await run('backup', named)).stdout)?.[1]).toBe(named);
    expect((await run('check', named)).stdout).toContain('including 2 events');
    expect((await stat(named)).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(1);
    const refused = await run('backup', named);
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('replace it with --force') });
    expect((await run('backup', named, '--force')).code).toBe(0);
    expect(readdirSync(folder).toSorted()).toEqual(['data', 'named.duckdb']);
  });

  test.each(['stop', 'kill'] as const)(
    'without a server (%s) it is created from the file, which stays as it is',
    async (end) => {
      const { run, server, dataDir, folder } = await openWithEvents();
      await server[end]();
      const before = readFileSync(join(dataDir, 'burrow.duckdb'));
      const [, path] = CREATED.exec((await run('backup')).stdout)!;
      expect((await run('check', path!)).stdout).toContain('including 2 events');
      expect(readFileSync(join(dataDir, 'burrow.duckdb')).equals(before)).toBe(true);
      const named = join(folder, 'named.duckdb');
      expect(CREATED.exec((await run('backup', named)).stdout)?.[1]).toBe(named);
      await rm(dataDir, { recursive: true });
      expect((await run('restore', named)).stdout).toContain('Restored 2 events');
      const restored = await startServer({ dataDir });
      onTestFinished(async () => void (await restored.kill()));
      expect((await run('query', 'select count() from events', '--format', 'csv')).stdout).toBe(
        'count()\n2\n',
      );
    },
  );

  test('a database that another process has open is left alone, with 3', async () => {
    const { run, dataDir, server } = await openWithEvents();
    await rm(join(dataDir, 'burrow.json'));
    expect(await run('backup')).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(`(process ${server.pid})`),
    });
    expect(readdirSync(join(dataDir, 'backups'))).toEqual([]);
  });

  test('a folder without a database is reported', async () => {
    const dataDir = await newFolder();
    const { code, stderr } = await burrow(['backup', '--data-dir', dataDir]);
    expect([code, stderr]).toEqual([
      1,
      `There is no database to back up: ${join(dataDir, 'burrow.duckdb')} does not exist.\n`,
    ]);
  });
});

describe('burrow open', () => {
  /** A program that writes its arguments to a file. */
  async function fakeProgram(name: string): Promise<{ bin: string; path: string; called: () => string }> {
    const bin = join(await newFolder(), 'bin');
    await mkdir(bin);
    const [path, calls] = [join(bin, name), join(bin, 'calls')];
    writeFileSync(path, `#!/bin/sh\nprintf '%s|' "$@" "$BURROW_DATA_DIR" > '${calls}'\n`);
    chmodSync(path, 0o755);
    return { bin, path, called: () => (existsSync(calls) ? readFileSync(calls, 'utf8') : '') };
  }

  test('opens the page in the browser with a link that signs in, and --print only prints it', async ({
    skip,
  }) => {
    skip(process.platform !== 'linux', 'xdg-open is of Linux');
    const { server, dataDir } = await openPlace();
    const { bin, called } = await fakeProgram('xdg-open');
    const env = { BURROW_DATA_DIR: dataDir, PATH: `${bin}${delimiter}${process.env['PATH']}` };
    const { code, stdout } = await burrow(['open', 'insights'], env);
    expect([code, stdout]).toEqual([
      0,
      `The console at ${server.url}/project/1/insights is opened in the browser.\n`,
    ]);
    const link = new URL(called().split('|')[0]!);
    expect(link.href).toContain(`${server.url}/project/1/insights#token=`);
    const signIn = await fetch(`${server.url}/api/burrow/session/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: link.hash.replace('#token=', '') }),
    });
    expect(signIn.status).toBe(200);
    const printed = await burrow(['open', '/settings/storage', '--print'], env);
    expect(printed.stdout).toMatch(new RegExp(`^${server.url}/project/1/settings/storage#token=\\w+\\n$`));
    expect(called()).toContain(link.href);
    expect(await burrow(['open', '../x'], env)).toMatchObject({ code: 2, stdout: '' });
  });

  test('starts the program of BURROW_DESKTOP instead, also when no server is running', async () => {
    const dataDir = await newFolder();
    const { path, called } = await fakeProgram('desktop');
    const env = { BURROW_DATA_DIR: dataDir, BURROW_DESKTOP: path };
    expect(await burrow(['open', 'live'], env)).toMatchObject({ code: 0, stderr: '' });
    await expect.poll(called).toBe(`burrow://live|${dataDir}|`);
    expect(await burrow(['open', 'dashboards/7', '--project', '2'], env)).toMatchObject({ code: 0 });
    await expect.poll(called).toContain(`burrow://project/2/dashboard/7|${dataDir}|`);
    expect(await burrow(['open', 'groups/0'], env)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has no link to groups/0'),
    });
    const missing = await burrow(['open'], { ...env, BURROW_DESKTOP: join(dataDir, 'none') });
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot be started') });
  });

  test('says which command starts a server where none is running', async () => {
    const dataDir = await newFolder();
    expect(await burrow(['open', '--data-dir', dataDir])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `No server is running for ${dataDir}. Start one with: node dist/server/main.js serve --data-dir ${dataDir}\n`,
    });
  });
});

test('the key of a run file is not sent to another machine', async () => {
  const dataDir = await newFolder();
  const run = { url: 'http://192.0.2.1:2877', pid: 1, version: '1.0.0', key: 'phx_secret' };
  writeFileSync(join(dataDir, 'burrow.json'), JSON.stringify(run));
  for (const command of [['url'], ['open'], ['tail'], ['query', 'select 1'], ['export']]) {
    const { code, stdout, stderr } = await burrow([...command, '--data-dir', dataDir]);
    expect([code, stdout, stderr]).toEqual([
      1,
      '',
      `http://192.0.2.1:2877, the server for ${dataDir}, is not on this machine.\n`,
    ]);
  }
});

test('burrow completion, the help of a command and the manual page are printed', async () => {
  expect((await burrow(['completion', 'bash'])).stdout).toContain('complete -F _burrow burrow');
  expect((await burrow(['tail', '--help'])).stdout).toContain('Usage: burrow tail [options]');
  expect((await burrow(['help', '--man'])).stdout).toMatch(/^\.TH BURROW 1 /);
  expect(await burrow(['completion', 'tcsh'])).toMatchObject({ code: 2, stdout: '' });
});
