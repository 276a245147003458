import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { newFolder } from '../support/command-place.ts';
import { burrow } from '../support/run-burrow.ts';
import { startServer } from '../support/start-server.ts';
import { TEST_KEY, TEST_TOKEN } from '../support/test-app.ts';
import { callerOf, contentOf, fillProject, openProxy, rowsOf } from '../support/two-hosts.ts';

beforeAll(() => build({ names: ['server', 'geoip'] }));

const KEYS = { BURROW_PROJECT_API_KEY: TEST_TOKEN, BURROW_PERSONAL_API_KEY: TEST_KEY };
const OPTIONS = ['--project-key-env', 'TO_PROJECT', '--personal-key-env', 'TO_PERSONAL'];

/** A server with a data folder, another one, and a proxy in front of that; one of them has a project. */
async function openBoth(
  many: number,
  onPass: Parameters<typeof openProxy>[1],
  purpose: 'graduate' | 'import_from_host' = 'graduate',
) {
  const dataDir = join(await newFolder(), 'data');
  const target = await startServer({ env: KEYS });
  let source = await startServer({ dataDir, env: KEYS });
  onTestFinished(async () => {
    await target.kill();
    await source.kill();
  });
  const own = callerOf(() => source.url);
  const other = callerOf(() => target.url);
  await fillProject(purpose === 'graduate' ? own : other, many);
  const body = { is_on: true };
  expect((await own.ask(`/api/burrow/outgoing/${purpose}/`, { method: 'PUT', body })).status).toBe(200);
  const proxy = await openProxy(target, onPass);
  return {
    own,
    other,
    proxy,
    kill: () => source.kill(),
    async restart() {
      await source.kill();
      source = await startServer({ dataDir, env: KEYS });
    },
    graduate: (...options: string[]) =>
      burrow(['graduate', '--to', proxy.url, ...OPTIONS, ...options], {
        BURROW_DATA_DIR: dataDir,
        TO_PROJECT: TEST_TOKEN,
        TO_PERSONAL: TEST_KEY,
      }),
    importFrom: (...options: string[]) =>
      burrow(['import', '--from-host', proxy.url, '--key-env', 'KEY', '--host-project', '1', ...options], {
        BURROW_DATA_DIR: dataDir,
        KEY: TEST_KEY,
      }),
  };
}

describe('burrow graduate', () => {
  test('counts with --dry-run, copies, and says what is there and what is not', async () => {
    const { graduate, proxy, own, other } = await openBoth(0, () => true);
    expect(await graduate('--dry-run')).toMatchObject({
      code: 0,
      stdout: `Would copy 11 events, 3 persons, 3 groups and 16 definitions to ${proxy.url}.
Not copied: settings, members, access rules, keys and sharing links. They belong to a server and are set up there.
`,
    });
    expect(proxy.passed).toEqual([]);
    expect(await graduate()).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(
        /^Copied 11 events, 3 persons, 3 groups and 16 definitions to .+, project 1\.\n\d events more complete .+\nCounted on both sides: equal\.\n/,
      ),
    });
    expect(await contentOf(other)).toEqual(await contentOf(own));
    expect(await graduate('--resume')).toMatchObject({
      code: 1,
      stderr: `There is no copy to ${proxy.url} that could go on.\n`,
    });
    const bare = await burrow(['graduate', '--to', proxy.url, '--project-key-env', 'NOT_SET']);
    expect(bare).toMatchObject({
      code: 1,
      stderr: 'The environment variable NOT_SET of --project-key-env is not set.\n',
    });
  });

  test('M9.15/resume killed after events, a dashboard and an insight arrived and before it was noted, it ends exactly right', async () => {
    const points = ['/batch/', '/batch/', '/api/projects/1/dashboards/', '/api/projects/1/insights/'];
    let batches = 0;
    let end: (() => void) | null = null;
    const { graduate, own, other, kill, restart } = await openBoth(1_500, ({ method, url }) => {
      if (url === '/batch/') batches++;
      const isPoint = method === 'POST' && url === points[0] && (url !== '/batch/' || batches % 3 === 0);
      if (end === null || !isPoint) return true;
      points.shift();
      // The target takes it, and the source is killed before the answer.
      end();
      return 'lose';
    });
    for (let round = 0; points.length > 0; round++) {
      const killed = new Promise<void>((resolve) => {
        end = () => {
          end = null;
          void kill().then(() => resolve());
        };
      });
      const command = graduate(...(round === 0 ? [] : ['--resume']));
      await killed;
      expect((await command).code).toBe(1);
      await restart();
      const { results } = (await own.ask('/api/projects/1/burrow/copies/')).json;
      expect(results[0]).toMatchObject({
        state: 'interrupted',
        problem: expect.stringContaining('Resume it'),
      });
    }
    const resumed = await graduate('--resume');
    expect([resumed.stderr, resumed.code]).toEqual(['', 0]);
    expect(resumed.stdout).toContain('Counted on both sides: equal.');
    expect(await contentOf(other)).toEqual(await contentOf(own));
    const count = 'select count(), count(distinct uuid) from events where properties.$import_job_id is null';
    expect(await rowsOf(other, count)).toEqual([[1_511, 1_511]]);
  });
});

describe('burrow import --from-host', () => {
  test('M9.15/from-host killed three times, first while it downloads, it ends exactly right', async () => {
    /** Numbers of the queries at which it is killed. */
    const points = [6, 3, 3];
    let queries = 0;
    let end: (() => void) | null = null;
    const { importFrom, own, other, kill, restart } = await openBoth(
      4_500,
      ({ method, url }) => {
        if (end === null || method !== 'POST' || url !== '/api/projects/1/query/') return true;
        queries++;
        if (queries < points[0]!) return true;
        points.shift();
        end();
        return 'lose';
      },
      'import_from_host',
    );
    const states: string[] = [];
    for (let round = 0; points.length > 0; round++) {
      queries = 0;
      const killed = new Promise<void>((resolve) => {
        end = () => {
          end = null;
          void kill().then(() => resolve());
        };
      });
      const command = importFrom(...(round === 0 ? [] : ['--resume']));
      // A command that ends well was not killed.
      expect(await command).toMatchObject({ code: 1 });
      await killed;
      await restart();
      expect((await own.ask('/api/projects/1/burrow/copies/')).json.results[0].state).toBe('interrupted');
      const { results } = (await own.ask('/api/projects/1/burrow/imports/')).json;
      states.push(results[0].state);
    }
    expect(states[0]).toBe('downloading');
    const resumed = await importFrom('--resume');
    expect([resumed.stderr, resumed.code]).toEqual(['', 0]);
    expect(resumed.stdout).toContain('Counted on both sides: equal.');
    expect(await contentOf(own)).toEqual(await contentOf(other));
    const count = 'select count(), count(distinct uuid) from events where properties.$import_job_id is null';
    expect(await rowsOf(own, count)).toEqual([[4_511, 4_511]]);
  });

  test.each([
    [[], 2, 'import requires the path of a file, or --from-host.'],
    [['events.csv', '--from-host', 'https://a.test'], 2, 'import takes a file or --from-host, not both.'],
    [
      ['--from-host', 'https://a.test'],
      2,
      'import --from-host requires the ID of the project there: --host-project.',
    ],
    [['--from-host', 'https://a.test', '--host-project', '1'], 2, 'import --from-host requires --key-env'],
  ])('%j is refused', async (options, code, text) => {
    expect(await burrow(['import', ...options])).toMatchObject({
      code,
      stderr: expect.stringContaining(text),
    });
  });
});
