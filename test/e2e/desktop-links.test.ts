import { execFile } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findOnPath } from '../../scripts/find-on-path.mjs';
import {
  answerDialogs,
  changeDashboard,
  dialogTexts,
  openDesktop,
  readRunFile,
  whyNoDesktop,
  type Desktop,
} from '../support/desktop.ts';

const reason = whyNoDesktop();
const run = promisify(execFile);
const FLAGS = {
  flags: [
    {
      key: 'new-nav',
      name: 'New navigation',
      active: true,
      filters: { groups: [{ rollout_percentage: 100 }] },
    },
  ],
};

let dataDir: string;
let desktop: Desktop;
let url: string;

beforeAll(async () => {
  if (reason !== null) return;
  dataDir = mkdtempSync(join(tmpdir(), 'burrow-links-'));
  desktop = await openDesktop(dataDir, {}, ['burrow://storage']);
  ({ url } = readRunFileWhenThere());
});
afterAll(async () => {
  await desktop?.quit();
  if (dataDir) rmSync(dataDir, { recursive: true });
});
beforeEach(async (context) => {
  context.skip(reason !== null, reason ?? undefined);
  await desktop.app.evaluate(() => ((globalThis as { said?: string[] }).said = []));
});

function readRunFileWhenThere(): { url: string } {
  return existsSync(join(dataDir, 'burrow.json')) ? readRunFile(dataDir) : { url: '' };
}

const path = () => desktop.page.url().replace(/^http:\/\/[^/]+/, '');

async function request(method: string, to: string, body?: object): Promise<any> {
  return await desktop.page.evaluate(
    async ([how, where, sent]) => {
      const answer = await fetch(where!, {
        method: how!,
        headers: { 'Content-Type': 'application/json' },
        body: sent ?? null,
      });
      return (await answer.json()) as unknown;
    },
    [method, to, body === undefined ? null : JSON.stringify(body)] as const,
  );
}

async function capture(event: string): Promise<void> {
  const { projects } = await request('GET', '/api/burrow/session/');
  await request('POST', '/capture/', {
    api_key: projects[0].api_token,
    event,
    distinct_id: 'ann@example.com',
  });
}

async function eventNames(): Promise<string[]> {
  const { results } = await request('GET', '/api/projects/1/events/');
  return results.map((one: { event: string }) => one.event);
}

/** Drops a file on the middle of the page, as a file manager does. */
async function dropFile(file: string): Promise<void> {
  const session = await desktop.page.context().newCDPSession(desktop.page);
  const data = { items: [], files: [file], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 700, y: 400, data });
  await session.detach();
}

describe('links', () => {
  test('a first start with a link opens on its page', async () => {
    await expect.poll(path).toBe('/project/1/settings/storage');
    ({ url } = readRunFile(dataDir));
  });

  test('a second start with a link leads the open window to its page, and ends', async () => {
    const { id } = await request('POST', '/api/projects/1/dashboards/', { name: 'Weekly' });
    const { code } = await desktop.startAgain(`burrow://dashboard/${id}`);
    expect(code).toBe(0);
    await expect.poll(path).toBe(`/project/1/dashboards/${id}`);
    await desktop.startAgain('burrow://live');
    await expect.poll(path).toBe('/project/1/live');
  });

  test('a link finds an insight by its short id, a person by a distinct ID, and a thing of another project', async () => {
    await capture('signed up');
    const { short_id: shortId } = await request('POST', '/api/projects/1/insights/', {
      name: 'Signups',
      saved: true,
    });
    await desktop.startAgain(`burrow://insight/${shortId}`);
    await expect.poll(path).toBe(`/project/1/insights/${shortId}`);
    await desktop.startAgain('burrow://person/ann%40example.com');
    await expect.poll(path).toMatch(/^\/project\/1\/persons\/[\w-]+$/);

    const second = await request('POST', '/api/organizations/@current/projects/', { name: 'Second' });
    const { id } = await request('POST', `/api/projects/${second.id}/dashboards/`, { name: 'Elsewhere' });
    await desktop.page.reload();
    await desktop.startAgain(`burrow://dashboard/${id}`);
    await expect.poll(path).toBe(`/project/${second.id}/dashboards/${id}`);
    await desktop.startAgain('burrow://project/1/live');
    await expect.poll(path).toBe('/project/1/live');
  });

  test('a thing that is nowhere is said on the page, a link that names nothing by a dialog', async () => {
    await desktop.startAgain('burrow://dashboard/999');
    await desktop.page.getByText('There is no dashboard 999 in your projects').waitFor();
    const before = path();
    await answerDialogs(desktop, 'OK');
    await desktop.startAgain('burrow://evil.example/dashboard/7');
    await expect
      .poll(() => dialogTexts(desktop))
      .toEqual([expect.stringMatching(/names nothing that Burrow can show/)]);
    expect(path()).toBe(before);
  });

  test('unsaved changes are not lost by a link: the page asks', async () => {
    const id = await changeDashboard(desktop.page, url);
    await desktop.startAgain('burrow://live');
    await desktop.page.getByRole('dialog').getByText('will be lost').waitFor();
    expect(path()).toMatch(new RegExp(`/dashboards/${id}`));
    await desktop.page.getByRole('button', { name: /Discard|Leave/ }).click();
    await expect.poll(path).toBe('/project/1/live');
  });
});

describe('files', () => {
  let backup: string;

  test('a backup asks before it is restored, and nothing changes without a yes', async () => {
    await capture('before the backup');
    const { path: made } = await request('POST', '/api/burrow/backup/');
    backup = join(dataDir, 'Grüße an alle.burrow');
    copyFileSync(made, backup);
    await capture('after the backup');

    await answerDialogs(desktop, 'Cancel');
    await desktop.startAgain(backup);
    await expect
      .poll(() => dialogTexts(desktop))
      .toEqual([expect.stringMatching(/^Restore Grüße an alle\.burrow\? It holds \d+ events?\./)]);
    expect(await eventNames()).toContain('after the backup');

    await answerDialogs(desktop, 'Restore');
    await desktop.startAgain(backup);
    await desktop.page.getByText(/Restored \d+ events? from/).waitFor();
    await expect.poll(eventNames).not.toContain('after the backup');
    expect(await eventNames()).toContain('before the backup');
    expect(readdirSync(dataDir).some((name) => name.includes('before-restore'))).toBe(true);
  });

  test('a file that is no backup is said to be none', async () => {
    const file = join(dataDir, 'broken.burrow');
    writeFileSync(file, 'nothing of the kind');
    await answerDialogs(desktop, 'Restore');
    await desktop.startAgain(file);
    await expect
      .poll(() => dialogTexts(desktop))
      .toEqual([expect.stringMatching(/^broken\.burrow is not a backup of Burrow\./)]);
  });

  test('a file of flags opens the dialog that shows its changes, and imports on request only', async () => {
    const file = join(dataDir, 'shop.flags.json');
    writeFileSync(file, JSON.stringify(FLAGS));
    await desktop.startAgain(`file://${file}`);
    const dialog = desktop.page.getByRole('dialog', { name: 'Import flags' });
    await dialog.getByText('new-nav').waitFor();
    expect((await request('GET', '/api/projects/1/feature_flags/')).count).toBe(0);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  test('files that are dropped on the window open likewise, and the page stays', async () => {
    const flags = join(dataDir, 'drop.json');
    writeFileSync(flags, JSON.stringify(FLAGS));
    await dropFile(flags);
    const dialog = desktop.page.getByRole('dialog', { name: 'Import flags' });
    await dialog.getByText('new-nav').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();

    await answerDialogs(desktop, 'Cancel');
    await dropFile(backup);
    await expect
      .poll(() => dialogTexts(desktop))
      .toEqual([expect.stringMatching(/^Restore Grüße an alle\.burrow\?/)]);

    const picture = join(dataDir, 'picture.png');
    writeFileSync(picture, '');
    const before = path();
    await dropFile(picture);
    await desktop.page.getByText('picture.png cannot be opened here').waitFor();
    expect(path()).toBe(before);
  });
});

test('the system leads links and files to the app: xdg-open', async (context) => {
  // As GNOME does: without a desktop xdg-open looks into a file instead of at its name.
  const tools = ['xdg-open', 'gio', 'update-desktop-database', 'update-mime-database'];
  const missing = tools.filter((tool) => findOnPath(tool) === null);
  context.skip(
    missing.length > 0,
    'xdg-open is missing. Install it with: sudo apt-get install xdg-utils desktop-file-utils shared-mime-info',
  );
  const home = mkdtempSync(join(tmpdir(), 'burrow-home-'));
  const share = join(home, '.local/share');
  const { words } = desktop.command;
  const env = {
    ...desktop.command.env,
    HOME: home,
    XDG_DATA_HOME: share,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_CURRENT_DESKTOP: 'GNOME',
  };
  for (const folder of ['applications', 'mime/packages']) mkdirSync(join(share, folder), { recursive: true });
  mkdirSync(join(home, '.config'));
  const entry = [
    '[Desktop Entry]',
    'Type=Application',
    'Name=Burrow',
    `Exec=${words.join(' ')} %U`,
    'MimeType=x-scheme-handler/burrow;application/vnd.burrow.backup;',
    '',
  ];
  writeFileSync(join(share, 'applications/burrow.desktop'), entry.join('\n'));
  const type = '<mime-type type="application/vnd.burrow.backup"><glob pattern="*.burrow"/></mime-type>';
  writeFileSync(
    join(share, 'mime/packages/burrow.xml'),
    `<?xml version="1.0"?><mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">${type}</mime-info>`,
  );
  await run('update-desktop-database', [join(share, 'applications')], { env });
  await run('update-mime-database', [join(share, 'mime')], { env });

  await run('xdg-open', ['burrow://connect?a=1&b=2'], { env });
  await expect.poll(path).toBe('/project/1/connect');

  const file = join(home, 'of the week.burrow');
  writeFileSync(file, 'nothing of the kind');
  await answerDialogs(desktop, 'OK');
  await run('xdg-open', [file], { env });
  await expect
    .poll(() => dialogTexts(desktop))
    .toEqual([expect.stringMatching(/^of the week\.burrow is not a backup/)]);
  rmSync(home, { recursive: true });
});
