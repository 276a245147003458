// @module-tag browser
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen, toastOf } from '../support/expect-seen.ts';
import { shareBrowser } from '../support/shared-console.ts';
import { startServer } from '../support/start-server.ts';
import { violationsInEveryLook } from '../support/violations.ts';

const openConsole = shareBrowser();

let dataDir: string;
let view: OpenConsole;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'burrow-deleted-'));
  view = await openConsole(await startServer({ dataDir }));
});
afterEach(async () => {
  expect(await view.close()).toEqual([]);
  await rm(dataDir, { recursive: true });
});

const KINDS = [
  [
    'insights',
    '/insights',
    'insights',
    {
      name: 'Signups',
      saved: true,
      query: { kind: 'TrendsQuery', series: [{ kind: 'EventsNode', event: 'signup' }] },
    },
  ],
  [
    'flags',
    '/flags',
    'feature_flags',
    { key: 'tone', name: 'tone', filters: { groups: [{ properties: [], rollout_percentage: 100 }] } },
  ],
  ['dashboards', '/dashboards', 'dashboards', { name: 'Growth' }],
  ['cohorts', '/cohorts', 'cohorts', { name: 'Testers', is_static: true }],
  ['actions', '/actions', 'actions', { name: 'Signed up', steps: [{ event: 'signup' }] }],
  [
    'annotations',
    '/annotations',
    'annotations',
    { content: 'Release 1', date_marker: '2026-01-02T03:04:05Z' },
  ],
] as const;

/** The lists of flags and dashboards have it in a menu: their top bars have no room for another button at 390. */
async function openDeleted(page: Page, many: string): Promise<void> {
  if (!['flags', 'dashboards'].includes(many))
    return page.getByRole('button', { name: `Deleted ${many}` }).click();
  await page.getByRole('button', { name: /^More: / }).click();
  const item = page.getByRole('menuitem', { name: `Deleted ${many}…` });
  await expectSeen(item);
  await item.click();
}

describe('deleted items are listed and restored', () => {
  test.each(KINDS)('%s', async (many, path, segment, body) => {
    const { page } = view;
    const name = 'content' in body ? body.content : body.name;
    const place = `/api/projects/${view.server.projectId}/${segment}/`;
    const { id } = await view.ask<{ id: number }>(place, { method: 'POST', body });
    expect(id).toBeGreaterThan(0);
    await view.ask(`${place}${id}/`, { method: 'PATCH', body: { deleted: true } });
    await page.goto(view.at(path));
    await openDeleted(page, many);
    const dialog = page.getByRole('dialog', { name: `Deleted ${many}` });
    const restore = dialog.getByRole('button', { name: /^Restore / });
    await expectSeen(dialog);
    await expectSeen(restore);
    if (many === 'flags') expect(await violationsInEveryLook(page, 'deleted-flags', [1440, 390])).toEqual([]);
    await restore.click();
    await expectSeen(toastOf(page, /restored$/));
    await expectSeen(dialog.getByText(`No deleted ${many}.`));
    expect(await view.ask(`${place}${id}/`)).toMatchObject({ deleted: false });
    await page.keyboard.press('Escape');
    await page.getByRole('main').getByText(name, { exact: true }).first().waitFor();
  });
});

test('Connect creates a backup and shows its path', async () => {
  const { page } = view;
  await page.goto(view.at('/connect'));
  await page.getByRole('button', { name: 'Create backup' }).click();
  // Expressions are matched against the text with the white space of the template around it.
  const done = page.getByText(/^\s*Backup created and verified: 0 events, /);
  const path = page.getByText(join(dataDir, 'backups'));
  await expectSeen(done);
  await expectSeen(path);
  expect(await violationsInEveryLook(page, 'connect-backup', [1440, 390])).toEqual([]);
});
