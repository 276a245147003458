import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { spawn } from 'node:child_process';
import { readFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { build } from '../../scripts/build.mjs';
import { openWithDashboard, putRule } from '../support/access-rules.ts';
import { callTool, expectSameNumbers, shopEvents } from '../support/mcp-questions.ts';
import { createKey, createProject, expectStatus } from '../support/owner-calls.ts';
import { burrow } from '../support/run-burrow.ts';
import { inheritedEnvironment, startServer, type RunningServer } from '../support/start-server.ts';
import { openTestApp, TEST_KEY, TEST_TOKEN, type TestApp } from '../support/test-app.ts';

const P = '/api/projects/@current';
/** The protocol of 2025 begins with a handshake, that of 2026 has none. */
const REVISIONS = ['legacy', { pin: '2026-07-28' }] as const;
type Revision = (typeof REVISIONS)[number];

async function toolNames(client: Client): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name);
}

describe('/mcp', () => {
  async function openShop(): Promise<TestApp> {
    const app = await openTestApp();
    const body = { api_key: TEST_TOKEN, batch: shopEvents(app.clock.now) };
    expectStatus(200, await app.ask('/batch/', { method: 'POST', key: null, body }));
    return app;
  }

  async function connect(
    app: TestApp,
    { key = TEST_KEY, query = '', mode = 'legacy' as Revision } = {},
  ): Promise<Client> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const requestInit = { headers: { Authorization: `Bearer ${key}` } };
    const url = new URL(`${app.url}/mcp${query}`);
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    onTestFinished(() => client.close());
    return client;
  }

  test.each(REVISIONS)('ten everyday questions get the numbers of the API, in revision %j', async (mode) => {
    const app = await openShop();
    await expectSameNumbers(await connect(app, { mode }), async (path, body) => {
      const request = body === undefined ? {} : { method: 'POST', body };
      return expectStatus(200, await app.ask(path, request)).json;
    });
  });

  test('a key sees the tools of its scopes, and cannot call others', async () => {
    const app = await openShop();
    const key = await createKey(app, ['query:read', 'annotation:write']);
    const client = await connect(app, { key, query: '?allow_writes=true' });
    const names = await toolNames(client);
    expect(names).toEqual(expect.arrayContaining(['execute-sql', 'query-trends', 'annotation-create']));
    expect(names.filter((name) => /person|insight|dashboard|flag|^event-|project/.test(name))).toEqual([]);
    await expect(callTool(client, 'person-get', { id: 'ada' })).rejects.toThrow(/person-get/);
    // A resource has no scope of its own: the API refuses it.
    await expect(client.readResource({ uri: 'burrow://schema/events' })).rejects.toThrow(
      "This key is missing required scope 'event_definition:read'.",
    );
  });

  test('a key of one project works on that one, and on no other', async () => {
    const app = await openShop();
    const second = await createProject(app);
    const client = await connect(app, { key: await createKey(app, ['*'], { scoped_teams: [second] }) });
    const count = { query: 'select count() from events' };
    expect(await callTool(client, 'execute-sql', count)).toMatch(/^count\(\)\n0\n/);
    await expect(callTool(client, 'execute-sql', { ...count, project_id: 1 })).rejects.toThrow(
      'This key does not give access to this project.',
    );
    const all = await connect(app);
    expect(await callTool(all, 'execute-sql', count)).toMatch(/^count\(\)\n10\n/);
    expect(await callTool(all, 'execute-sql', { ...count, project_id: second })).toMatch(/^count\(\)\n0\n/);
    const chosen = await connect(app, { query: `?project=${second}` });
    expect(await callTool(chosen, 'execute-sql', count)).toMatch(/^count\(\)\n0\n/);
  });

  test('tools that write are listed only where the URL allows writes and the key has the scope', async () => {
    const app = await openShop();
    const writes = /(create|update|delete)/;
    expect((await toolNames(await connect(app))).filter((name) => writes.test(name))).toEqual([]);
    const reader = await createKey(app, ['insight:read', 'dashboard:read', 'feature_flag:read']);
    const query = '?allow_writes=true';
    expect(
      (await toolNames(await connect(app, { key: reader, query }))).filter((name) => writes.test(name)),
    ).toEqual([]);
    const { tools } = await (await connect(app, { query })).listTools();
    const found = tools.filter(({ name }) => writes.test(name));
    expect(found.map(({ name }) => name).toSorted()).toEqual([
      'annotation-create',
      'annotation-delete',
      'annotation-update',
      'create-feature-flag',
      'dashboard-create',
      'dashboard-delete',
      'dashboard-update',
      'delete-feature-flag',
      'insight-create',
      'insight-delete',
      'insight-update',
      'update-feature-flag',
    ]);
    expect(found.filter(({ annotations }) => annotations?.readOnlyHint !== false)).toEqual([]);
    const readers = tools.filter(({ name }) => !writes.test(name));
    expect(readers.filter(({ annotations }) => annotations?.readOnlyHint !== true)).toEqual([]);
    // A longer schema makes some clients drop the tool without a word.
    for (const { inputSchema } of tools) expect(JSON.stringify(inputSchema).length).toBeLessThan(16_384);
  });

  test('insights, dashboards, flags and annotations are created, read, run, changed and deleted', async () => {
    const app = await openShop();
    const client = await connect(app, { query: '?allow_writes=true' });
    const call = async (name: string, args: Record<string, unknown>) => await callTool(client, name, args);
    const object = async (name: string, args: Record<string, unknown>) =>
      JSON.parse((await call(name, args)).split('\n')[0]!);

    const dashboard = await object('dashboard-create', { name: 'Shop', description: 'Weekly' });
    const trend = await call('query-trends', { series: [{ event: 'visit' }] });
    const node = JSON.parse(/^Query: (.*)$/m.exec(trend)![1]!);
    const insight = await object('insight-create', {
      name: 'Visits',
      query: node,
      dashboards: [dashboard.id],
    });
    expect(insight.query).toEqual({ kind: 'InsightVizNode', source: node });
    expect(await call('insights-list', { search: 'visi' })).toContain(`"short_id":"${insight.short_id}"`);
    expect(await call('insight-query', { id: insight.short_id })).toBe(trend.split('\n\nQuery:')[0]);
    await call('dashboard-update', { id: dashboard.id, name: 'The shop', add_text: '# Notes' });
    const shown = await call('dashboard-get', { id: dashboard.id });
    expect(shown).toContain('"name":"The shop"');
    expect(shown).toContain('"text":"# Notes"');
    const run = await call('dashboard-insights-run', { id: dashboard.id });
    expect(run).toContain(`Visits (insight ${insight.short_id})\n${trend.split('\n\nQuery:')[0]}`);
    expect((await object('insight-update', { id: insight.id, name: 'Visitors' })).name).toBe('Visitors');
    await call('insight-delete', { id: insight.id });
    await call('dashboard-delete', { id: dashboard.id });
    for (const path of [`insights/${insight.id}`, `dashboards/${dashboard.id}`])
      expect((await app.ask(`${P}/${path}/`)).status).toBe(404);

    const note = await object('annotation-create', {
      content: 'Launch',
      date_marker: '2026-11-19T09:00:00Z',
    });
    await object('annotation-update', { id: note.id, content: 'The launch' });
    expect(await call('annotations-list', { search: 'launch' })).toContain('"content":"The launch"');
    await call('annotation-delete', { id: note.id });
    expect(await call('annotations-list', {})).toBe('Nothing was found.');

    const flag = await object('create-feature-flag', {
      key: 'beta',
      name: 'New shop',
      active: true,
      rollout_percentage: 100,
    });
    const off = await object('update-feature-flag', { key: 'beta', active: false });
    expect([off.id, off.active, off.filters]).toEqual([flag.id, false, flag.filters]);
    await call('delete-feature-flag', { key: 'beta' });
    await expect(call('feature-flag-get-definition', { key: 'beta' })).rejects.toThrow(
      'There is no flag with the key beta.',
    );

    // The log has them as it has any other change.
    const { results } = (await app.ask(`${P}/activity_log/?limit=100`)).json;
    const logged = results.map(({ scope, activity }: any) => `${scope} ${activity}`);
    expect(logged).toEqual(
      expect.arrayContaining(['Insight created', 'FeatureFlag updated', 'Dashboard deleted']),
    );
  });

  test('a dashboard that is hidden from a user is hidden from the tools of their key', async () => {
    const { app, lin, id, path } = await openWithDashboard();
    const client = await connect(app, { key: lin.key, query: '?allow_writes=true' });
    expect(await callTool(client, 'dashboards-get-all')).toContain('"name":"Weekly"');
    const rule = { access_level: 'viewer', organization_member: lin.membershipId };
    expectStatus(200, await putRule(app, path, rule));
    await expect(callTool(client, 'dashboard-update', { id, name: 'Mine' })).rejects.toThrow(
      'Your access level here is viewer; this needs editor.',
    );
    expectStatus(200, await putRule(app, path, { ...rule, access_level: 'none' }));
    expect(await callTool(client, 'dashboards-get-all')).toBe('Nothing was found.');
    await expect(callTool(client, 'dashboard-get', { id })).rejects.toThrow(/./);
  });

  test('a flag is explained for a user with the value, the condition set and the properties behind it', async () => {
    const app = await openShop();
    const properties = [{ key: 'plan', type: 'person', operator: 'exact', value: ['pro'] }];
    const groups = [
      { properties, rollout_percentage: 100 },
      { properties: [], rollout_percentage: 0 },
    ];
    const body = { key: 'beta', active: true, filters: { groups } };
    expectStatus(201, await app.ask(`${P}/feature_flags/`, { method: 'POST', body }));
    const client = await connect(app);
    const explain = (user: string, more = {}) =>
      callTool(client, 'feature-flag-explain', { key: 'beta', distinct_id: user, ...more });
    const ada = await explain('ada');
    expect(ada).toMatch(/^beta is true for ada: a condition set matches\.\nPerson: ada@example\.com /);
    expect(ada).toContain(
      'Condition set 1 matches. It decides.\n  ✓ person plan exact ["pro"]: it is "pro" (stored)',
    );
    const bob = await explain('bob');
    expect(bob).toMatch(/^beta is false for bob: no condition set matches\./);
    expect(bob).toContain('✗ person plan exact ["pro"]: it is not set');
    expect(bob).toMatch(/✗ rollout 0 %: hash 0\.\d+ is above 0/);
    expect(await explain('bob', { person_properties: { plan: 'pro' } })).toMatch(/^beta is true for bob/);
    await expect(callTool(client, 'feature-flag-explain', { key: 'none', distinct_id: 'a' })).rejects.toThrow(
      'There is no flag with the key none.',
    );
  });

  test('a flag is found by its key among hundreds that contain it', async () => {
    const app = await openTestApp();
    for (const key of ['beta', ...Array.from({ length: 200 }, (_, at) => `beta-${at}`)])
      expectStatus(201, await app.ask(`${P}/feature_flags/`, { method: 'POST', body: { key } }));
    const client = await connect(app);
    expect(await callTool(client, 'feature-flag-get-definition', { key: 'beta' })).toContain('"key":"beta"');
  });

  test('wrong input and refused queries are errors of the tool that say what is wrong', async () => {
    const client = await connect(await openShop());
    const fails = (name: string, args: Record<string, unknown>, text: RegExp) =>
      expect(callTool(client, name, args)).rejects.toThrow(text);
    await fails('execute-sql', { query: 'select evnt from events' }, /^Line 1, column 8: .*evnt/);
    await fails('execute-sql', { query: 'drop table events' }, /./);
    await fails('execute-sql', {}, /query/);
    await fails('query-funnel', { series: [{ event: 'visit' }] }, /series/);
    await fails('query-run', { query: { kind: 'NoQuery' } }, /NoQuery|kind/);
    await fails('events-list', { limit: 1_000_000 }, /limit/);
    await fails('dashboard-get', { id: 4711 }, /not found/i);
    await fails('insight-get', { id: '../persons' }, /not found/i);
    await fails('execute-sql', { query: 'select 1', project_id: 4711 }, /./);
  });

  test('results are bounded, keep every digit, and say that there is more', async () => {
    const client = await connect(await openShop());
    const rows = await callTool(client, 'execute-sql', {
      query: 'select number from numbers(2000) limit 2000',
    });
    expect(rows.split('\n')).toHaveLength(503);
    expect(rows).toContain('500 rows. There are more');
    const large = await callTool(client, 'execute-sql', {
      query: "select repeat('x', 30000) from numbers(5)",
    });
    expect(large.length).toBeLessThan(61_000);
    expect(large).toMatch(/\d+ more characters are left out\./);
    const exact = await callTool(client, 'execute-sql', { query: 'select 12345678901234567890 as n' });
    expect(exact).toContain('n\n12345678901234567890\n');
  });

  test('32 requests are open at a time; a client that leaves cancels its query and makes room', async () => {
    const app = await openShop();
    const query =
      'select sum(cityHash64(a.number + b.number)) from numbers(200000) a cross join numbers(200000) b';
    const headers = {
      Authorization: `Bearer ${TEST_KEY}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    };
    const post = async (statement: string, signal?: AbortSignal) => {
      const params = { name: 'execute-sql', arguments: { query: statement } };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      const answer = await fetch(`${app.url}/mcp`, { method: 'POST', headers, body, signal: signal ?? null });
      return { status: answer.status, text: await answer.text() };
    };
    const leaving = new AbortController();
    const open = Array.from({ length: 32 }, () => post(query, leaving.signal).catch(() => null));
    await expect.poll(async () => (await post('select 1')).status).toBe(429);
    leaving.abort();
    await Promise.all(open);
    await expect.poll(async () => (await post('select 1 as one')).text).toContain('1 row.');
  });

  test('every tool and prompt is in docs/assistants.md', async () => {
    const client = await connect(await openTestApp(), { query: '?allow_writes=true' });
    const documented = await readFile('docs/assistants.md', 'utf8');
    const names = [
      ...(await toolNames(client)),
      ...(await client.listPrompts()).prompts.map(({ name }) => name),
    ];
    expect(names.filter((name) => !documented.includes(`\`${name}\``))).toEqual([]);
  });

  test('documentation, schema and prompts can be read', async () => {
    const client = await connect(await openShop());
    const textOf = async (uri: string): Promise<string> =>
      ((await client.readResource({ uri })).contents[0] as { text: string }).text;
    for (const name of ['api', 'differences', 'assistants'])
      expect(await textOf(`burrow://docs/${name}`)).toBe(await readFile(`docs/${name}.md`, 'utf8'));
    expect(await textOf('burrow://schema/hogql')).toMatch(/^events: .*properties json/m);
    expect(await textOf('burrow://schema/events')).toContain('"name":"signup"');
    expect(await textOf('burrow://schema/events/signup')).toContain('"name":"plan","property_type":"String"');
    const { prompts } = await client.listPrompts();
    expect(prompts.length).toBeGreaterThan(4);
    const { messages } = await client.getPrompt({ name: 'debug-user', arguments: { person: 'ada' } });
    expect((messages[0]!.content as { text: string }).text).toContain('"ada"');
  });

  test('a request needs a personal API key in its header, an own page and an own host', async () => {
    const app = await openTestApp();
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
    const headers = { Accept: 'application/json, text/event-stream' };
    const post = (more: object, path = '/mcp') =>
      app.ask(path, { method: 'POST', body, ...more, headers: { ...headers, ...(more as any).headers } });
    expectStatus(200, await post({}));
    expectStatus(401, await post({ key: null }));
    expectStatus(401, await post({ key: 'phx_other' }));
    expectStatus(401, await post({ key: TEST_TOKEN }));
    expectStatus(401, await post({ key: null }, `/mcp?personal_api_key=${TEST_KEY}`));
    const link = (await app.ask('/api/burrow/sign_in_links/', { method: 'POST', body: {} })).json.console_url;
    const token = new URL(link).hash.replace('#token=', '');
    const signedIn = await app.ask('/api/burrow/session/', { method: 'POST', key: null, body: { token } });
    const cookie = signedIn.headers['set-cookie']!.split(';')[0]!;
    expectStatus(200, await app.ask(`${P}/`, { key: null, headers: { Cookie: cookie } }));
    expectStatus(401, await post({ key: null, headers: { Cookie: cookie } }));
    expectStatus(403, await post({ headers: { Origin: 'http://evil.example' } }));
    expectStatus(403, await post({ headers: { Host: 'evil.example' } }));
    expect((await app.ask('/mcp')).headers['allow']).toBe('POST, OPTIONS');
    expectStatus(405, await app.ask('/mcp', { method: 'DELETE' }));
  });
});

/** The tests that follow use the built program. */
beforeAll(() => build({ names: ['server', 'geoip'] }));

const MAIN = 'dist/server/main.js';

describe('burrow mcp', () => {
  async function newFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'burrow-mcp-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    return folder;
  }

  async function start(dataDir: string, port = 0): Promise<RunningServer> {
    const server = await startServer({ dataDir, port });
    onTestFinished(async () => void (await server.kill()));
    return server;
  }

  async function connect(
    dataDir: string,
    args: readonly string[] = [],
    mode: Revision = 'legacy',
  ): Promise<{ client: Client; stderr(): string; pid: number }> {
    const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [MAIN, 'mcp', ...args],
      env: { ...inheritedEnvironment(), BURROW_DATA_DIR: dataDir },
      stderr: 'pipe',
    });
    let said = '';
    transport.stderr!.on('data', (text: Buffer) => (said += text.toString()));
    await client.connect(transport);
    onTestFinished(() => client.close());
    return { client, stderr: () => said, pid: transport.pid! };
  }

  async function askServer(
    { url, personalApiKey }: RunningServer,
    path: string,
    body?: object,
  ): Promise<any> {
    const headers = { Authorization: `Bearer ${personalApiKey}`, 'Content-Type': 'application/json' };
    const request =
      body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
    const answer = await fetch(url + path, request);
    expect(answer.status).toBeLessThan(300);
    return await answer.json();
  }

  test.each(REVISIONS)(
    'ten everyday questions get the numbers of the API, without a key, in revision %j',
    async (mode) => {
      const dataDir = await newFolder();
      const server = await start(dataDir);
      await askServer(server, '/batch/', { api_key: server.projectApiKey, batch: shopEvents(Date.now()) });
      const { client, stderr } = await connect(dataDir, [], mode);
      await expectSameNumbers(client, (path, body) => askServer(server, path, body));
      expect(stderr()).toBe('');
    },
  );

  test('tools that write are listed only with --allow-writes', async () => {
    const dataDir = await newFolder();
    await start(dataDir);
    const { client } = await connect(dataDir);
    expect(await toolNames(client)).not.toContain('annotation-create');
    const { client: writer } = await connect(dataDir, ['--allow-writes']);
    const note = { content: 'Launch', date_marker: '2026-11-19' };
    expect(await callTool(writer, 'annotation-create', note)).toContain('"content":"Launch"');
    expect(await callTool(client, 'annotations-list')).toContain('"content":"Launch"');
  });

  test('without a server each call says how to start one, and works once one runs, also after a restart', async () => {
    const dataDir = await newFolder();
    const { client, stderr } = await connect(dataDir);
    const missing = `No server is running for ${dataDir}. Start one with: `;
    await expect(callTool(client, 'projects-get')).rejects.toThrow(missing);
    expect(stderr()).toContain(missing);
    const server = await start(dataDir);
    expect(await callTool(client, 'projects-get')).toContain('"name":');
    await server.stop();
    await start(dataDir);
    expect(await callTool(client, 'execute-sql', { query: 'select 1 as one' })).toBe('one\n1\n\n1 row.');
  });

  test('prints nothing but messages of the protocol, and ends with 0 when its input is closed', async () => {
    const dataDir = await newFolder();
    await start(dataDir);
    const { key } = JSON.parse(await readFile(join(dataDir, 'burrow.json'), 'utf8')) as { key: string };
    const clientInfo = { name: 'test', version: '1' };
    const messages = [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/call', params: { name: 'projects-get', arguments: {} } },
    ];
    const child = spawn(process.execPath, [MAIN, 'mcp'], {
      env: { ...inheritedEnvironment(), BURROW_DATA_DIR: dataDir },
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    const ended = new Promise((resolve) => child.once('close', resolve));
    for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
    child.stdin.write('this is no message\n');
    await expect.poll(() => stdout).toContain('"id":2');
    child.stdin.end();
    expect(await ended).toBe(0);
    const answers = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.filter(({ jsonrpc }) => jsonrpc !== '2.0')).toEqual([]);
    expect(answers.filter(({ result }) => result).map(({ id }) => id)).toEqual([1, 2]);
    expect(stdout + stderr).not.toContain(key);
  });

  test('ends with the program that started it, also when that is killed', async () => {
    const dataDir = await newFolder();
    await start(dataDir);
    const script = `
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, [${JSON.stringify(MAIN)}, 'mcp'], { stdio: ['pipe', 'pipe', 'ignore'] });
      child.stdin.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }) + '\\n');
      child.stdout.once('data', () => console.log(child.pid));`;
    const parent = spawn(process.execPath, ['-e', script], {
      env: { ...inheritedEnvironment(), BURROW_DATA_DIR: dataDir },
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = await new Promise<number>((resolve) =>
      parent.stdout.once('data', (text: Buffer) => resolve(Number(text.toString()))),
    );
    const isRunning = (): boolean => {
      try {
        return process.kill(pid, 0);
      } catch {
        return false;
      }
    };
    expect(isRunning()).toBe(true);
    parent.kill('SIGKILL');
    await expect.poll(isRunning).toBe(false);
  });

  test('a server in memory has no folder to be found by', async () => {
    const { code, stdout, stderr } = await burrow(['mcp'], { BURROW_EPHEMERAL: 'on' });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toContain('mcp needs a data folder and cannot be used with --ephemeral.');
  });
});
