import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  buildPackages,
  clientOf,
  command,
  installedVersion,
  newHome,
  PACKAGE,
  runAsUser,
  startApp,
  USER,
  whyNoPackages,
  type Packages,
  type StartedApp,
} from '../support/packages.ts';
import { startServer } from '../support/start-server.ts';

const reason = whyNoPackages();
const ICONS = ['512x512/apps/burrow-desktop.png', 'scalable/apps/burrow-desktop.svg'].map(
  (name) => `/usr/share/icons/hicolor/${name}`,
);
const APP = '/opt/Burrow';

let out: string;
let packages: Packages;

beforeAll(async () => {
  if (reason !== null) return;
  out = mkdtempSync(join(tmpdir(), 'burrow-packages-'));
  // The ordinary user starts what is unpacked here.
  chmodSync(out, 0o755);
  packages = await buildPackages(out);
});
beforeEach((context) => context.skip(reason !== null, reason ?? undefined));
afterAll(() => {
  if (reason === null) rmSync(out, { recursive: true });
});

/** The sandbox of the renderer: filtered system calls (2), and a process id in a namespace of its own. */
function sandboxOf(app: StartedApp): { seccomp: string; isApart: boolean } {
  const status = readFileSync(`/proc/${app.processes('renderer')[0]}/status`, 'utf8');
  return {
    seccomp: /^Seccomp:\s+(\d)/m.exec(status)![1]!,
    isApart: /^NSpid:\s+\d+\s+\d/m.test(status),
  };
}

async function startOn(dataDir: string, launcher: string, env: Record<string, string>): Promise<StartedApp> {
  const app = await startApp(launcher, env);
  await expect.poll(() => clientOf(dataDir).isRunning()).toBe(true);
  await expect.poll(() => app.processes('renderer').length).toBeGreaterThan(0);
  return app;
}

describe('the deb', () => {
  const { home, dataDir, env } = reason === null ? newHome() : { home: '', dataDir: '', env: {} };
  const client = clientOf(dataDir);
  const burrow = (...args: string[]) => runAsUser('/usr/bin/burrow', args, env);

  beforeAll(async () => {
    if (reason === null) await command('dpkg', ['-i', packages.olderDeb]);
  });
  afterAll(async () => {
    if (reason !== null) return;
    await command('dpkg', ['--purge', PACKAGE]);
    rmSync(home, { recursive: true });
  });

  test('holds the desktop entry, its types, metadata and licenses, and Chromium in English only', async () => {
    await command('desktop-file-validate', ['/usr/share/applications/local.burrow.Burrow.desktop']);
    const metadata = '/usr/share/metainfo/local.burrow.Burrow.metainfo.xml';
    expect(await command('appstreamcli', ['validate', '--no-net', metadata])).toContain('successful');
    expect(ICONS.filter((icon) => !existsSync(icon))).toEqual([]);
    expect(await command('ls', [`${APP}/locales`])).toBe('en-US.pak\n');
    const notices = readFileSync(`${APP}/resources/THIRD-PARTY-NOTICES.md`, 'utf8');
    for (const name of [
      'vue',
      'express',
      '@duckdb/node-bindings',
      '@fontsource-variable/inter',
      'posthog-js',
    ])
      expect(notices).toMatch(new RegExp(`^## ${name}(/\\S+|-router)? - \\d`, 'm'));
    expect(readFileSync(`/usr/share/doc/${PACKAGE}/copyright`, 'utf8')).toContain('THIRD-PARTY-NOTICES.md');
    expect(existsSync(`${APP}/LICENSES.chromium.html`)).toBe(true);
  });

  test('registers burrow:// links and .burrow files', async () => {
    const ask = async (...args: string[]) => (await runAsUser('xdg-mime', args, env)).stdout.trim();
    expect(await ask('query', 'default', 'x-scheme-handler/burrow')).toBe('local.burrow.Burrow.desktop');
    expect(await ask('query', 'default', 'application/vnd.burrow.backup')).toBe(
      'local.burrow.Burrow.desktop',
    );
    expect(readFileSync('/usr/share/mime/globs2', 'utf8')).toContain(
      'application/vnd.burrow.backup:*.burrow',
    );
  });

  test('built with an address of updates, has a feed that names it with its hash', () => {
    const [file, bytes] = [packages.deb.split('/').at(-1)!, readFileSync(packages.deb)];
    expect(packages.feed).toContain('version: 0.0.1-test.2\n');
    expect(packages.feed).toContain(`url: ${file}\n`);
    expect(packages.feed).toContain(createHash('sha512').update(bytes).digest('base64'));
  });

  test('has a unit for systemd that is valid and starts the command', async () => {
    const unit = '/usr/lib/systemd/user/burrow.service';
    expect(readFileSync(unit, 'utf8')).toContain('ExecStart=/usr/bin/burrow serve');
    const verify = ['--user', 'verify', unit];
    expect(await runAsUser('systemd-analyze', verify, env)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('its app, started by an ordinary user, shows pages in a sandbox, stores events and restores backups', async () => {
    const app = await startOn(dataDir, '/usr/bin/burrow-desktop', env);
    expect(sandboxOf(app)).toEqual({ seccomp: '2', isApart: true });
    expect(await client.capture('before the backup')).toBe(200);
    await expect.poll(() => client.eventNames()).toEqual(['before the backup']);
    expect((await burrow('url')).stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#token=\S+\n$/);

    const { name } = (await (await client.call('/api/burrow/backup/', { method: 'POST' })).json()) as {
      name: string;
    };
    expect(await client.capture('after the backup')).toBe(200);
    await expect.poll(() => client.eventNames()).toHaveLength(2);
    await client.call(`/api/burrow/backup/${name}/restore/`, { method: 'POST' });
    await expect.poll(() => client.eventNames().catch(() => null)).toEqual(['before the backup']);

    expect(await app.stop()).toMatchObject({ code: 0 });
    await expect.poll(() => client.isRunning()).toBe(false);
  });

  test('where the system refuses the sandbox, the app says the command that helps; with the helper it starts', async () => {
    const helper = `${APP}/chrome-sandbox`;
    expect(lstatSync(helper).mode & 0o7777).toBe(0o4755);
    chmodSync(helper, 0o755);
    const start = async (further: Record<string, string>, ...args: string[]) =>
      await (
        await startApp('/usr/bin/burrow-desktop', { ...env, ...further }, { isRefused: true, args })
      ).ended;
    const refused = await start({}, '--no-sandbox');
    const inImage = await start({ APPIMAGE: '/tmp/Burrow.AppImage' });
    chmodSync(helper, 0o4755);
    expect([refused.code, inImage.code]).toEqual([133, 133]);
    const sentence = 'This system refuses Burrow the sandbox that its pages need. Allow it with: ';
    expect(refused.stderr.split('\n')).toContain(
      `${sentence}sudo chown root:root '${helper}' && sudo chmod 4755 '${helper}'`,
    );
    // Nothing in an image has rights of its own.
    expect(inImage.stderr).toMatch(new RegExp(`^${sentence}sudo sysctl -w \\S+=\\d+$`, 'm'));

    const app = await startApp('/usr/bin/burrow-desktop', env, { isRefused: true });
    await expect.poll(() => app.processes('renderer').length).toBeGreaterThan(0);
    expect(sandboxOf(app)).toEqual({ seccomp: '2', isApart: true });
    expect(await app.stop()).toMatchObject({ code: 0 });
  });

  test('started by root, the app says who may start it', async () => {
    const started = command('/usr/bin/burrow-desktop', []);
    const stderr = expect.stringContaining(
      'Burrow does not start as root: start it as an ordinary user.',
    ) as unknown;
    await expect(started).rejects.toMatchObject({ code: 133, stderr });
  });

  test('an upgrade keeps data, links and the helper', async () => {
    await command('dpkg', ['-i', packages.deb]);
    expect(installedVersion()).toBe('0.0.1~test.2');
    expect(readlinkSync('/usr/bin/burrow')).toBe(`${APP}/burrow`);
    expect(lstatSync(`${APP}/chrome-sandbox`).mode & 0o7777).toBe(0o4755);
    const app = await startOn(dataDir, '/usr/bin/burrow-desktop', env);
    expect(await client.eventNames()).toEqual(['before the backup']);
    expect(await app.stop()).toMatchObject({ code: 0 });
  });

  test('its command line serves, checks and restores the same data without a display', async () => {
    expect((await burrow('--version')).stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const server = await startServer({ dataDir, program: ['/usr/bin/burrow'], user: USER, env });
    expect(await client.eventNames()).toEqual(['before the backup']);
    expect(await client.capture('without a display')).toBe(200);
    expect(await server.stop()).toEqual({ code: 0, signal: null });

    const check = await burrow('check');
    expect(check).toMatchObject({ code: 0, stderr: '' });
    expect(check.stdout).toContain('is intact');
    const backup = join(home, 'kept.duckdb');
    await runAsUser('cp', [join(dataDir, 'burrow.duckdb'), backup], env);
    expect((await burrow('restore', backup)).stdout).toMatch(/^Restored 2 events from /);
    // What it says to type next is the command as it was called.
    expect(await burrow('url')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('burrow serve') as unknown,
    });
  });

  test('removed, it leaves the data and no link', async () => {
    await command('dpkg', ['--remove', PACKAGE]);
    for (const path of [APP, '/usr/bin/burrow', '/usr/bin/burrow-desktop', ...ICONS])
      expect(lstatSync(path, { throwIfNoEntry: false })).toBeUndefined();
    expect(existsSync(join(dataDir, 'burrow.duckdb'))).toBe(true);
  });
});

describe('the rpm', () => {
  test('lists the files, with scripts that link the commands and give the helper its rights', async () => {
    const files = (await command('rpm', ['-qlp', packages.rpm])).split('\n');
    expect(files).toEqual(
      expect.arrayContaining([
        `${APP}/burrow`,
        `${APP}/burrow-desktop`,
        `${APP}/burrow-desktop.bin`,
        `${APP}/resources/THIRD-PARTY-NOTICES.md`,
        `${APP}/resources/app.asar.unpacked/node_modules/@duckdb/node-bindings-linux-x64/duckdb.node`,
        '/usr/share/applications/local.burrow.Burrow.desktop',
        '/usr/share/metainfo/local.burrow.Burrow.metainfo.xml',
        '/usr/share/mime/packages/burrow-desktop.xml',
        ...ICONS,
      ]),
    );
    const scripts = await command('rpm', ['-qp', '--scripts', packages.rpm]);
    for (const name of ['after-install', 'after-remove'])
      expect(scripts).toContain(readFileSync(`resources/linux/${name}.sh`, 'utf8').trimEnd());
    expect(await command('rpm', ['-qpR', packages.rpm])).toContain('gtk3');
  });

  test('unpacked, its app starts in a sandbox and its command line runs', async () => {
    const { home, dataDir, env } = newHome();
    const root = join(out, 'rpm');
    mkdirSync(root, { mode: 0o755 });
    await command('sh', ['-c', 'rpm2cpio "$0" | cpio --quiet -id', packages.rpm], root);
    const launcher = join(root, APP, 'burrow-desktop');
    const app = await startOn(dataDir, launcher, env);
    expect(sandboxOf(app)).toEqual({ seccomp: '2', isApart: true });
    expect(await app.stop()).toMatchObject({ code: 0 });
    const { code, stdout } = await runAsUser(join(root, APP, 'burrow'), ['check'], env);
    expect([code, stdout]).toEqual([0, expect.stringContaining('is intact')]);
    rmSync(home, { recursive: true });
  });
});
