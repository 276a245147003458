import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { burrow } from '../support/run-burrow.ts';
import {
  inheritedEnvironment,
  startServer,
  type RunningServer,
  type StartOptions,
} from '../support/start-server.ts';

const MAIN = fileURLToPath(new URL('../../dist/server/main.js', import.meta.url));

beforeAll(() => build({ names: ['server', 'geoip'] }));

async function start(options: StartOptions = {}): Promise<RunningServer> {
  const server = await startServer(options);
  onTestFinished(async () => void (await server.kill()));
  return server;
}

async function newFolder(): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'burrow-process-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  return join(parent, 'made', 'by-burrow');
}

const statusWith = (server: RunningServer, key: string) =>
  fetch(`${server.url}/api/projects/`, { headers: { Authorization: `Bearer ${key}` } }).then(
    ({ status }) => status,
  );

describe('burrow serve --json', () => {
  test('names the keys of its first project in its first line, and they work', async () => {
    const dataDir = await newFolder();
    const server = await start({ dataDir });
    expect(server).toMatchObject({
      projectId: 1,
      dataDir,
      version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
    });
    expect(new URL(server.url).port).toBe(String(server.port));
    expect(await statusWith(server, server.personalApiKey)).toBe(200);
    const event = JSON.stringify({ api_key: server.projectApiKey, event: 'seen', distinct_id: 'u1' });
    expect((await fetch(`${server.url}/capture/`, { method: 'POST', body: event })).status).toBe(200);
  });

  test('6.7b has a GeoIP country file by default', async () => {
    const server = await start();
    const headers = { Authorization: `Bearer ${server.personalApiKey}` };
    const answer = await fetch(`${server.url}/api/burrow/geoip/`, { headers });
    expect(await answer.json()).toMatchObject({ source: 'country', database_type: 'country ipvAll' });
  });

  test('starts with the flags of a file', async () => {
    const flags = join(await newFolder(), '..', '..', 'flags.json');
    const filters = { groups: [{ properties: [], rollout_percentage: 100 }] };
    await writeFile(
      flags,
      JSON.stringify({ version: 1, flags: [{ key: 'new-editor', filters }], cohorts: [] }),
    );
    const server = await start({ args: ['--flags', flags] });
    const body = JSON.stringify({ api_key: server.projectApiKey, distinct_id: 'u1' });
    const answer = await fetch(`${server.url}/decide/?v=3`, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({ featureFlags: { 'new-editor': true } });
  });

  test('prints a console link that signs in once', async () => {
    const server = await start();
    const signIn = () =>
      fetch(`${server.url}/api/burrow/session/`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ token: new URL(server.consoleUrl).hash.replace('#token=', '') }),
      });
    expect((await signIn()).status).toBe(200);
    expect((await signIn()).status).toBe(401);
  });

  test('its personal key ends with the process, and the project token does not', async () => {
    const dataDir = await newFolder();
    const first = await start({ dataDir });
    await first.stop();
    const second = await start({ dataDir });
    expect(second.projectApiKey).toBe(first.projectApiKey);
    expect(await statusWith(second, first.personalApiKey)).toBe(401);
  });

  test('keys of the environment become those of the first start', async () => {
    const dataDir = await newFolder();
    const env = {
      BURROW_PROJECT_API_KEY: 'phc_of_the_environment',
      BURROW_PERSONAL_API_KEY: 'phx_of_the_environment',
    };
    const first = await start({ dataDir, env });
    expect(first.projectApiKey).toBe('phc_of_the_environment');
    await first.stop();
    const second = await start({ dataDir });
    expect(await statusWith(second, 'phx_of_the_environment')).toBe(200);
  });

  test('no key appears in the log', async () => {
    const server = await start({
      args: ['--log-level', 'debug'],
      env: { BURROW_PERSONAL_API_KEY: 'phx_of_the_environment' },
    });
    await statusWith(server, 'phx_of_the_environment');
    await fetch(`${server.url}/api/projects/?personal_api_key=phx_of_the_environment`);
    await server.stop();
    for (const secret of [
      'phx_of_the_environment',
      server.personalApiKey,
      server.consoleUrl.split('#')[1]!,
    ]) {
      expect(server.stderr()).not.toContain(secret);
    }
  });
});

describe('the data folder', () => {
  test('is created with access for its owner only, and has the URL while the server runs', async () => {
    const dataDir = await newFolder();
    const server = await start({ dataDir });
    const file = join(dataDir, 'burrow.json');
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({ url: server.url, pid: server.pid });
    await server.stop();
    expect(existsSync(file)).toBe(false);
  });

  test('burrow url prints a link that signs in', async () => {
    const dataDir = await newFolder();
    const server = await start({ dataDir });
    const { code, stdout } = await burrow(['url', '--data-dir', dataDir]);
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${server.url}/#token=\\w+\\n$`));
    expect(stdout.trim()).not.toBe(server.consoleUrl);
  });

  test('burrow url reports when no server is running or responding', async () => {
    const dataDir = await newFolder();
    expect(await burrow(['url', '--data-dir', dataDir])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `No server is running for ${dataDir}. Start one with: node dist/server/main.js serve --data-dir ${dataDir}\n`,
    });
    const server = await start({ dataDir });
    await server.kill();
    const { code, stderr } = await burrow(['url', '--data-dir', dataDir]);
    expect([code, stderr]).toEqual([
      1,
      `The server for ${dataDir} (process ${server.pid}) is not responding at ${server.url}.\n`,
    ]);
  });
});

describe('ending', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s ends with 0 once the open request is answered',
    async (signal) => {
      const server = await start();
      const body = JSON.stringify({ api_key: server.projectApiKey, event: 'late', distinct_id: 'u1' });
      const answered = new Promise<number | undefined>((resolve, reject) => {
        const headers = { 'Content-Type': 'application/json', 'Content-Length': body.length };
        const req = request(`${server.url}/capture/`, { method: 'POST', headers }, (res) => {
          res.resume();
          resolve(res.statusCode);
        });
        req.on('error', reject);
        req.write(body.slice(0, 10), () => {
          // The request is open: its head and a piece of its body have been sent, the rest follows after the signal.
          setTimeout(() => {
            process.kill(server.pid, signal);
            setTimeout(() => req.end(body.slice(10)), 200);
          }, 200);
        });
      });
      expect(await answered).toBe(200);
      expect(await server.exited).toEqual({ code: 0, signal: null });
    },
  );

  test('an idle keep-alive connection does not delay it', async () => {
    const server = await start();
    await fetch(`${server.url}/_liveness`);
    expect(await server.stop()).toEqual({ code: 0, signal: null });
  });

  test('with --exit-with-stdin the end of standard input drains, and what comes through it before does not', async () => {
    const args = ['serve', '--ephemeral', '--port', '0', '--json', '--exit-with-stdin'];
    const child = spawn(process.execPath, [MAIN, ...args], { env: inheritedEnvironment() });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'exit');
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const { url } = JSON.parse(line) as { url: string };
    await new Promise((resolve) => child.stdin.write('anything\n', resolve));
    expect((await fetch(`${url}/_readiness`)).status).toBe(200);
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  test('several simultaneous signals still drain', async () => {
    const dataDir = await newFolder();
    const server = await start({ dataDir });
    for (let n = 0; n < 3; n++) process.kill(server.pid, 'SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
    expect(await readdir(dataDir)).toEqual(['burrow.duckdb']);
  });

  test('a second signal after a moment ends it immediately, with 1', async () => {
    const server = await start();
    const req = request(`${server.url}/capture/`, { method: 'POST', headers: { 'Content-Length': 10 } });
    req.on('error', () => undefined);
    await new Promise((resolve) => req.write('{', resolve));
    await new Promise((resolve) => setTimeout(resolve, 200));
    process.kill(server.pid, 'SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    process.kill(server.pid, 'SIGTERM');
    expect(await server.exited).toEqual({ code: 1, signal: null });
  });
});

describe('errors are reported in one sentence', () => {
  test('an unknown option: exit code 2', async () => {
    expect(await burrow(['serve', '--prot', '1'])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: 'Unknown option --prot. See burrow --help.\n',
    });
  });

  test('an invalid variable: exit code 2', async () => {
    const { code, stderr } = await burrow(['serve'], { BURROW_PORT: 'many' });
    expect([code, stderr]).toEqual([2, 'BURROW_PORT must be a whole number from 0 to 65535.\n']);
  });

  test('an unusable GeoIP file: exit code 2', async () => {
    expect(await burrow(['serve', '--ephemeral', '--port', '0', '--geoip-file', MAIN])).toMatchObject({
      code: 2,
      stderr: `--geoip-file: ${MAIN} is not a file in MaxMind's .mmdb format, or it is damaged.\n`,
    });
  });

  test('an unusable flag file: exit code 2', async () => {
    const flags = fileURLToPath(new URL('../../package.json', import.meta.url));
    expect(await burrow(['serve', '--ephemeral', '--port', '0', '--flags', flags])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `--flags: ${flags}: This is not a flag file: it has neither flags nor results.\n`,
    });
  });

  test('a port in use: exit code 1', async () => {
    const server = await start();
    const { code, stderr } = await burrow(['serve', '--ephemeral', '--port', String(server.port)]);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Port ${server.port} of 127.0.0.1 is in use by node (process ${server.pid}). Choose another port with --port, or 0 for any free port.\n`,
    );
  });

  test('a folder that cannot be created: exit code 1, without a stack', async () => {
    const { code, stderr } = await burrow(['serve', '--data-dir', join(MAIN, 'inside-a-file')]);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toHaveLength(1);
  });
});

describe('output for users', () => {
  test('burrow --help and --version print and end with 0', async () => {
    const help = await burrow(['--help']);
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain('--data-dir <folder>');
    expect(await burrow(['--version'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    });
  });

  test('burrow serve prints the console link and the token, and a note about a host beyond loopback', async () => {
    const child = spawn(
      process.execPath,
      [MAIN, 'serve', '--ephemeral', '--port', '0', '--host', '0.0.0.0'],
      {
        env: inheritedEnvironment(),
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    onTestFinished(() => void child.kill('SIGKILL'));
    let text = '';
    for await (const piece of child.stdout.setEncoding('utf8')) {
      text += piece;
      if (text.includes('Ctrl+C')) break;
    }
    expect(text).toMatch(/Console {2}http:\/\/127\.0\.0\.1:\d+\/#token=\w+/);
    expect(text).toMatch(/Token {4}phc_\w+/);
    expect(text).toContain('Open to the network through 0.0.0.0');
  });
});
