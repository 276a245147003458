import { expect, test } from 'vitest';
import { EVENTS, send } from '../test/support/app-events.ts';
import { openTestApp, TEST_TOKEN } from '../test/support/test-app.ts';
import { ConfigError } from './lib/config-error.ts';
import { StoreOpenError } from './db/client.ts';
import type { OptionProblem, OptionReport } from './desktop-options.ts';
import { answerShell, failureOf } from './desktop-shell.ts';

const PORT: OptionReport = { name: 'port', running: '2877', value: '2877', default: '2877', source: null };

/** A server with an app, whose desktop shell is the test. */
async function openWithShell() {
  const app = await openTestApp();
  const said: Record<string, unknown>[] = [];
  const warnings: string[] = [];
  const state = { isReopening: false, problems: [] as OptionProblem[] };
  let ask: (data: object) => void = () => {};
  answerShell(
    {
      postMessage: (message) => void said.push(message as Record<string, unknown>),
      on: (_event, listener) => (ask = (data) => listener({ data })),
    },
    {
      serving: {
        url: app.url,
        port: app.port,
        get app() {
          if (state.isReopening) throw new Error('The database is being reopened.');
          return app.app;
        },
        newConsoleUrl: () => `${app.url}/#token=once`,
      },
      config: { ephemeral: false, dataDir: '/data', sources: { port: 'settings.json' } },
      version: '1.2.3',
      notices: app.notices,
      log: { warn: ((_fields: object, text: string) => void warnings.push(text)) as never },
      options: { list: () => [PORT], change: async () => state.problems },
      drain: () => void said.push({ type: 'drained' }),
    },
  );
  return { app, said, warnings, state, ask: (data: object) => ask(data) };
}

test('the shell learns where the server is, and where its port comes from', async () => {
  const { app, said } = await openWithShell();
  const { url, port } = app;
  expect(said).toEqual([
    { type: 'ready', url, port, version: '1.2.3', dataDir: '/data', portSource: 'settings.json' },
  ]);
});

test('a status has the events of a minute, the pause and the key of the first project', async () => {
  const { app, said, ask } = await openWithShell();
  await send(app, [{ event: 'a' }, { event: 'b' }]);
  ask({ type: 'status' });
  const status = { type: 'status', eventsPerMinute: 2, projectId: 1, projectApiKey: TEST_TOKEN };
  await expect.poll(() => said.at(-1)).toEqual({ ...status, pause: null });
  ask({ type: 'pause', minutes: 15 });
  await expect.poll(() => said.at(-1)).toMatchObject({ pause: { until: app.clock.now + 15 * 60_000 } });
  await send(app, [{ event: 'meanwhile' }]);
  ask({ type: 'resume' });
  await expect.poll(() => said.at(-1)).toEqual({ ...status, eventsPerMinute: 3, pause: null });
  expect((await app.ask(EVENTS)).json.results).toHaveLength(2);
});

test('while the database is reopened pings are answered, and other requests fail without ending the server', async () => {
  const { said, warnings, state, ask } = await openWithShell();
  state.isReopening = true;
  for (const type of ['status', 'pause', 'resume', 'ping']) ask({ type });
  await expect.poll(() => warnings).toHaveLength(3);
  expect(said.slice(1)).toEqual([{ type: 'pong' }]);
  state.isReopening = false;
  ask({ type: 'status' });
  await expect.poll(() => said.at(-1)).toMatchObject({ type: 'status', pause: null });
});

test('the first event of a project is notified once, and not again for what was there before', async () => {
  const { app, said, ask } = await openWithShell();
  const notices = () => said.filter(({ type }) => type === 'notice');
  const askStatus = async () => {
    const count = said.length;
    ask({ type: 'status' });
    await expect.poll(() => said.length).toBeGreaterThan(count);
  };
  await askStatus();
  await send(app, [{ event: 'a' }]);
  ask({ type: 'status' });
  const first = {
    type: 'notice',
    title: 'First event received',
    text: 'The project Default has received its first event.',
  };
  await expect.poll(notices).toEqual([first]);
  await send(app, [{ event: 'b' }]);
  await askStatus();
  await askStatus();
  expect(notices()).toEqual([first]);
});

test('changed options are answered with all options, and with what is wrong', async () => {
  const { said, state, ask } = await openWithShell();
  ask({ type: 'options', id: 7, changes: null });
  await expect.poll(() => said.at(-1)).toEqual({ type: 'options', id: 7, options: [PORT], problems: [] });
  state.problems = [{ name: 'port', text: 'Taken.' }];
  ask({ type: 'options', id: 8, changes: { port: '80' } });
  await expect
    .poll(() => said.at(-1))
    .toEqual({ type: 'options', id: 8, options: [PORT], problems: state.problems });
});

test.each([
  [new StoreOpenError('locked', '', 42), 'folder_in_use'],
  [new StoreOpenError('corrupt', '', null), 'damaged'],
  [new StoreOpenError('read_only', '', null), 'read_only'],
  [new StoreOpenError('full', '', null), 'disk_full'],
  [new StoreOpenError('newer_version', '', null), 'other'],
  [Object.assign(new Error(), { code: 'EACCES' }), 'read_only'],
  [Object.assign(new Error(), { code: 'ENOSPC' }), 'disk_full'],
  [new Error('IO Error: Corrupt database file: checksum does not match'), 'damaged'],
  [new ConfigError('settings.json: port must be a whole number from 0 to 65535.'), 'settings'],
  [new ConfigError('BURROW_PORT must be a whole number from 0 to 65535.'), 'other'],
  [new Error('anything'), 'other'],
])('a start that ends with %o is reported as %s', (error, reason) => {
  expect(failureOf(error)).toEqual({ reason, port: null });
});
