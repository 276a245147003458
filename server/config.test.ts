import { describe, expect, test } from 'vitest';
import { ConfigError } from './lib/config-error.ts';
import { helpText } from './cli-help.ts';
import { readConfig, type Machine } from './config.ts';

const linux: Machine = { platform: 'linux', homeDir: '/u/ada', workingDir: '/here', totalMemory: 16e9 };
const read = (argv: string[], env: Record<string, string> = {}, machine: Machine = linux) =>
  readConfig(argv, env, machine);

function refusal(argv: string[], env: Record<string, string> = {}): string {
  try {
    read(argv, env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
}

describe('readConfig', () => {
  test('a file is resolved from the working folder, and a command takes only what its row has', () => {
    expect(read(['restore', 'a.duckdb'])).toMatchObject({ command: 'restore', argument: '/here/a.duckdb' });
    expect(read(['backup', '../b.duckdb']).argument).toBe('/b.duckdb');
    expect(read(['query', 'select 1']).argument).toBe('select 1');
    expect(refusal(['restore'])).toBe('restore requires the path of a backup file.');
    expect(refusal(['query'])).toBe(
      'query requires a HogQL statement, or - to read one from standard input.',
    );
    expect(refusal(['completion'])).toBe('completion requires a shell: bash, zsh or fish.');
    expect(refusal(['restore', 'a', 'b'])).toBe('Unexpected argument b. See burrow --help.');
    expect(refusal(['serve', 'a'])).toBe('Unexpected argument a. See burrow --help.');
  });

  test('a command refuses options of other commands, and reads those of the environment only where it needs them', () => {
    expect(refusal(['tail', '--port', '1'])).toBe('tail has no option --port. See burrow tail --help.');
    expect(refusal(['serve', '--force'])).toBe('serve has no option --force. See burrow serve --help.');
    expect(read(['tail'], { BURROW_PORT: '4000', BURROW_EVENT: 'paid' }).call.event).toBe(null);
    expect(refusal(['restore', 'a'], { BURROW_EPHEMERAL: '1' })).toBe(
      'restore needs a data folder and cannot be used with --ephemeral.',
    );
  });

  test('--help of a command is the help of that command, and beside an unknown command the error', () => {
    expect(read(['tail', '--help'])).toMatchObject({ command: 'help', argument: 'tail' });
    expect(read(['query', '-h'])).toMatchObject({ command: 'help', argument: 'query' });
    expect(read(['help', 'export'])).toMatchObject({ command: 'help', argument: 'export' });
    expect(read(['--help'])).toMatchObject({ command: 'help', argument: null });
    expect(refusal(['help', 'sevre'])).toBe('Unknown command sevre. See burrow --help.');
  });

  test('without options it serves on localhost only, port 2877, with a quarter of the memory and at most 2 GB', () => {
    expect(read([])).toEqual({
      command: 'serve',
      argument: null,
      port: 2877,
      host: '127.0.0.1',
      dataDir: '/u/ada/.local/share/burrow',
      ephemeral: false,
      json: false,
      exitWithStdin: false,
      maxBody: 20_971_520,
      memoryLimit: 2_000_000_000,
      allowedHosts: [],
      trustProxy: false,
      geoipFile: null,
      flagsFile: null,
      warehouse: null,
      rateLimits: false,
      fast: true,
      logLevel: 'info',
      projectApiKey: null,
      personalApiKey: null,
      sources: {},
      call: {
        project: null,
        event: null,
        all: false,
        events: null,
        properties: [],
        from: null,
        fromHost: null,
        hostProject: null,
        keyEnv: null,
        personalKeyEnv: null,
        projectKeyEnv: null,
        resume: false,
        to: null,
        format: null,
        output: null,
        force: false,
        allowWrites: false,
        kind: null,
        size: null,
        seed: null,
        live: false,
        rate: null,
        script: null,
        at: null,
        remove: false,
        mapping: null,
        timezone: null,
        dryRun: false,
        print: false,
        noColor: false,
        man: false,
      },
    });
    expect(read([], {}, { ...linux, totalMemory: 4e9 }).memoryLimit).toBe(1e9);
  });

  test('the result cannot be changed', () => {
    expect(Object.isFrozen(read([]))).toBe(true);
  });

  test.each([
    [['--port', '3000'], { port: 3000 }],
    [['--port=0'], { port: 0 }],
    [['serve', '--host', '::1'], { command: 'serve', host: '::1' }],
    [['url', '--data-dir', 'mine'], { command: 'url', dataDir: '/here/mine' }],
    [['--data-dir', '/srv/burrow/'], { dataDir: '/srv/burrow' }],
    [['--geoip-file', 'city.mmdb'], { geoipFile: '/here/city.mmdb' }],
    [['--flags', 'flags.json'], { flagsFile: '/here/flags.json' }],
    [['--json', '--ephemeral'], { json: true, ephemeral: true }],
    [['--json=false'], { json: false }],
    [['--max-body', '1MiB'], { maxBody: 1_048_576 }],
    [['--memory-limit', '512MB'], { memoryLimit: 512_000_000 }],
    [['--memory-limit', '1.5gb'], { memoryLimit: 1_500_000_000 }],
    [['--memory-limit', '2000000000'], { memoryLimit: 2_000_000_000 }],
    [['--allowed-host', 'Box.LAN', '--allowed-host', 'a,b'], { allowedHosts: ['box.lan', 'a', 'b'] }],
    [['--allowed-host', '[FE80::1]'], { allowedHosts: ['fe80::1'] }],
    [
      ['--trust-proxy', '--rate-limits', '--log-level', 'debug'],
      { trustProxy: true, rateLimits: true, logLevel: 'debug' },
    ],
    [
      ['tail', '--property', 'plan=pro', '--property', 'q=a=b', '--event', 'paid', '--no-color'],
      {
        call: {
          event: 'paid',
          noColor: true,
          properties: [
            { name: 'plan', value: 'pro' },
            { name: 'q', value: 'a=b' },
          ],
        },
      },
    ],
    [['export', '-o', 'a.jsonl', '--format=csv'], { call: { output: '/here/a.jsonl', format: 'csv' } }],
    [['export', '-oa.jsonl', '--force'], { call: { output: '/here/a.jsonl', force: true } }],
    [['export', '--output', '-'], { call: { output: null } }],
    [['query', '-', '--project', '2'], { argument: '-', call: { project: 2 } }],
    [['--help', '--port', '1'], { command: 'help' }],
    [['-h'], { command: 'help' }],
    [['serve', '--version'], { command: 'version' }],
  ])('%j', (argv, expected) => {
    expect(read(argv)).toMatchObject(expected);
  });

  test.each([
    [{ BURROW_PORT: '4000' }, { port: 4000 }],
    [{ BURROW_DATA_DIR: '/data' }, { dataDir: '/data' }],
    [
      { BURROW_EPHEMERAL: '1', BURROW_JSON: 'no' },
      { ephemeral: true, json: false },
    ],
    [{ BURROW_ALLOWED_HOST: 'a.test, b.test' }, { allowedHosts: ['a.test', 'b.test'] }],
    [
      { BURROW_PROJECT_API_KEY: 'phc_mine_1234', BURROW_PERSONAL_API_KEY: 'phx_mine_1234' },
      { projectApiKey: 'phc_mine_1234', personalApiKey: 'phx_mine_1234' },
    ],
    [{ BURROW_PORT: '' }, { port: 2877 }],
  ])('the environment %j', (env, expected) => {
    expect(read([], env as Record<string, string>)).toMatchObject(expected);
  });

  test('the command line overrides the environment', () => {
    expect(read(['--port', '1', '--json=off'], { BURROW_PORT: '2', BURROW_JSON: 'true' })).toMatchObject({
      port: 1,
      json: false,
    });
  });

  test.each([
    [['--prot', '1'], 'Unknown option --prot. See burrow --help.'],
    [['-p', '1'], 'Unknown option -p. See burrow --help.'],
    [['--constructor'], 'Unknown option --constructor. See burrow --help.'],
    [['sevre'], 'Unknown command sevre. See burrow --help.'],
    [['serve', 'here'], 'Unexpected argument here. See burrow --help.'],
    [['--port'], '--port needs a value.'],
    [['--data-dir', '--json'], '--data-dir needs a value.'],
    [['--port', '1', '--port', '2'], '--port is set more than once.'],
    [['--port', '65536'], '--port must be a whole number from 0 to 65535.'],
    [['--port=-1'], '--port must be a whole number from 0 to 65535.'],
    [['--port', '0x10'], '--port must be a whole number from 0 to 65535.'],
    [
      ['--memory-limit', '2 apples'],
      '--memory-limit must be a size of at least 64000000 bytes, such as 2GB, 512MB or 20971520.',
    ],
    [
      ['--memory-limit', '1MB'],
      '--memory-limit must be a size of at least 64000000 bytes, such as 2GB, 512MB or 20971520.',
    ],
    [['--log-level', 'loud'], '--log-level must be debug, info, warn or error.'],
    [['--json=perhaps'], '--json must be on or off.'],
    [['--json=constructor'], '--json must be on or off.'],
    [['--allowed-host', 'http://a.test'], '--allowed-host must be a host name without scheme and port.'],
    [
      ['--personal-api-key', 'phx_12345678'],
      '--personal-api-key can only be set with the environment variable BURROW_PERSONAL_API_KEY.',
    ],
    [['query', 'x', '--format', 'xml'], '--format must be table, json, csv or jsonl.'],
    [['export', '--format', 'table'], '--format must be jsonl, csv or parquet.'],
    [['tail', '--property', 'plan'], '--property must be a name and a value, such as plan=pro.'],
    [['tail', '--project', 'shop'], '--project must be a whole number from 1 to 2147483647.'],
    [['--flags'], '--flags needs a value.'],
    [['--geoip-file='], '--geoip-file needs a value.'],
  ])('%j is refused by name', (argv, message) => {
    expect(refusal(argv)).toBe(message);
  });

  test.each([
    [{ BURROW_PORT: 'many' }, 'BURROW_PORT must be a whole number from 0 to 65535.'],
    [{ BURROW_PROJECT_API_KEY: 'phx_12345678' }, 'BURROW_PROJECT_API_KEY must not be a personal API key.'],
    [{ BURROW_PERSONAL_API_KEY: 'phc_12345678' }, 'BURROW_PERSONAL_API_KEY must not be a project API key.'],
  ])('the environment %j is refused by name', (env, message) => {
    expect(refusal([], env as Record<string, string>)).toBe(message);
  });

  test('a refused key is not in the message', () => {
    expect(refusal([], { BURROW_PERSONAL_API_KEY: 'short' })).not.toContain('short');
  });

  test.each<[string, Partial<Machine>, Record<string, string>, string]>([
    ['Linux with XDG_DATA_HOME', {}, { XDG_DATA_HOME: '/xdg' }, '/xdg/burrow'],
    ['Linux with a relative XDG_DATA_HOME', {}, { XDG_DATA_HOME: 'xdg' }, '/u/ada/.local/share/burrow'],
    ['macOS', { platform: 'darwin', homeDir: '/u/ada' }, {}, '/u/ada/Library/Application Support/Burrow'],
    [
      'Windows',
      { platform: 'win32', workingDir: 'D:\\' },
      { APPDATA: 'D:\\ada\\AppData\\Roaming' },
      'D:\\ada\\AppData\\Roaming\\Burrow',
    ],
    [
      'Windows without APPDATA',
      { platform: 'win32', homeDir: 'D:\\ada', workingDir: 'D:\\' },
      {},
      'D:\\ada\\AppData\\Roaming\\Burrow',
    ],
  ])('the data folder on %s', (_system, machine, env, expected) => {
    expect(read([], env, { ...linux, ...machine }).dataDir).toBe(expected);
  });
});

test('the help lists every option, every exit code, and the sources of keys', () => {
  const text = helpText('1.2.3');
  for (const option of [
    '--port <number>',
    '--data-dir <folder>',
    '--allowed-host <name>',
    '--log-level <level>',
  ]) {
    expect(text).toContain(option);
  }
  expect(text).toContain('BURROW_PERSONAL_API_KEY');
  expect(text).not.toContain('--personal-api-key');
  expect(text).toMatch(/^ {2}3 +The data folder is used by another process$/m);
});

describe('the settings of a data folder', () => {
  const withSettings = (settings: object, argv: string[] = [], env: Record<string, string> = {}) =>
    readConfig(argv, env, linux, () => settings as Record<string, unknown>);

  test('set what neither the command line nor the environment sets', () => {
    const settings = {
      port: 3000,
      host: '0.0.0.0',
      'memory-limit': '4GB',
      'allowed-host': ['a.test', 'b.test'],
    };
    expect(withSettings(settings)).toMatchObject({
      port: 3000,
      host: '0.0.0.0',
      memoryLimit: 4e9,
      allowedHosts: ['a.test', 'b.test'],
      sources: { port: 'settings.json', host: 'settings.json' },
    });
    expect(withSettings(settings, ['--port', '3001'], { BURROW_HOST: '127.0.0.1' })).toMatchObject({
      port: 3001,
      host: '127.0.0.1',
      memoryLimit: 4e9,
      sources: { port: '--port', host: 'BURROW_HOST', 'memory-limit': 'settings.json' },
    });
  });

  test('are those of the folder that is chosen', () => {
    const folders: string[] = [];
    const note = (folder: string): Record<string, unknown> => {
      folders.push(folder);
      return {};
    };
    readConfig([], { BURROW_DATA_DIR: '/data/shop' }, linux, note);
    readConfig(['--data-dir', 'shop'], {}, linux, note);
    readConfig([], {}, linux, note);
    expect(folders).toEqual(['/data/shop', '/here/shop', '/u/ada/.local/share/burrow']);
  });

  test('are for a server that keeps its data, and for no other command', () => {
    const fail = (): never => {
      throw new Error('was read');
    };
    expect(readConfig(['serve', '--ephemeral'], {}, linux, fail).port).toBe(2877);
    expect(readConfig(['url'], {}, linux, fail).port).toBe(2877);
    expect(() => readConfig([], { BURROW_EPHEMERAL: 'off' }, linux, fail)).toThrow('was read');
  });

  test.each([
    [{ port: 'many' }, 'settings.json: port must be a whole number from 0 to 65535.'],
    [{ host: 'http://x' }, 'settings.json: host must be a host name or an IP address.'],
    [{ colour: 'red' }, 'settings.json has the unknown option colour.'],
    [{ 'data-dir': '/elsewhere' }, 'settings.json has the unknown option data-dir.'],
    [{ 'personal-api-key': 'phx_12345678' }, 'settings.json has the unknown option personal-api-key.'],
  ])('%j is refused by name', (settings, message) => {
    expect(() => withSettings(settings)).toThrow(message);
  });

  test('the free port of the desktop app counts where no port is set', () => {
    const env = { BURROW_FREE_PORT: '2880' };
    expect(withSettings({}, [], env).port).toBe(2880);
    expect(withSettings({ port: 3000 }, [], env).port).toBe(3000);
    expect(withSettings({}, ['--port', '0'], env).port).toBe(0);
    expect(withSettings({}, [], { BURROW_FREE_PORT: 'no' }).port).toBe(2877);
  });

  test('the port of the server before, which windows show, counts whatever port is set', () => {
    const env = { BURROW_KEPT_PORT: '2880', BURROW_FREE_PORT: '2881' };
    expect(withSettings({}, [], env).port).toBe(2880);
    expect(withSettings({ port: 3000 }, [], env)).toMatchObject({
      port: 2880,
      sources: { port: 'settings.json' },
    });
    expect(withSettings({}, [], { ...env, BURROW_KEPT_PORT: '' }).port).toBe(2881);
  });
});
