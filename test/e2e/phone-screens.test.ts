// @module-tag browser
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

/** A phone, and a page of 1280 px zoomed to 400 %. */
const WIDTHS = [390, 320];

/** Whether the screen has its answers and is drawn, for which it has ten seconds. */
const SETTLED = `new Promise((done) => {
  const end = performance.now() + 10_000;
  const look = () => {
    const isLoading = document.querySelector('[aria-busy="true"], .skeleton') || !document.querySelector('h1');
    if (isLoading && performance.now() < end) setTimeout(look, 50);
    else requestAnimationFrame(() => requestAnimationFrame(() => done(!isLoading)));
  };
  look();
})`;

/**
 * What reaches beyond the page, and the page itself where it scrolls. What is in a box that scrolls by itself, such as a
 * wide table, may; a box that only hides it must not, except for text that ends with dots. Labels of charts stay in
 * the card of their chart.
 */
const BEYOND = `(() => {
  const root = document.documentElement;
  const found = root.scrollWidth > innerWidth ? ['the page scrolls: ' + root.scrollWidth] : [];
  const mayScroll = (element) => {
    for (let box = element.parentElement; box && box.id !== 'content'; box = box.parentElement) {
      const { overflowX, textOverflow, clipPath } = getComputedStyle(box);
      if (overflowX === 'auto' || overflowX === 'scroll' || textOverflow === 'ellipsis' || clipPath !== 'none') return true;
    }
    return false;
  };
  for (const element of document.querySelectorAll('#content *')) {
    const { left, right, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0 || element.closest('svg') !== null && element.tagName !== 'svg') continue;
    if ((right > innerWidth + 1 || left < -1) && !mayScroll(element))
      found.push(element.tagName + '.' + element.getAttribute('class') + ' ' + Math.round(left) + ' to ' + Math.round(right));
  }
  for (const label of document.querySelectorAll('[role="img"] span, [role="img"] text')) {
    const card = label.closest('section, article, li');
    const { left, right, width } = label.getBoundingClientRect();
    if (card === null || width === 0 || mayScroll(label)) continue;
    const edge = card.getBoundingClientRect();
    if (left < edge.left - 1 || right > edge.right + 1) found.push('leaves its card: ' + label.textContent.trim());
  }
  return found.slice(0, 4);
})()`;

/** The paths of all screens, from the router's own files, with the names of what they show filled in. */
function pathsOf(shown: Record<string, readonly string[]>): string[] {
  const sources = readdirSync('renderer/screens')
    .map((folder) => `renderer/screens/${folder}/index.ts`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'));
  const patterns = sources.flatMap((source) =>
    [...source.matchAll(/path: '\/project\/:projectId\(\\\\d\+\)([^']*)'/g)].map(([, path]) => path!),
  );
  return patterns.flatMap((pattern) => fill(pattern, shown));
}

function fill(pattern: string, shown: Record<string, readonly string[]>): string[] {
  const part = /\/:(\w+)(?:\(((?:[^()]|\([^)]*\))*)\))?(\??)/.exec(pattern);
  if (part === null) return [pattern];
  const [text, name, choice = '', isOptional] = part;
  const isChoice = /^[a-z|-]+$/.test(choice) && choice.includes('|');
  const values = isChoice ? choice.split('|') : shown[name!];
  if (values === undefined) throw new Error(`No example of :${name} for ${pattern}`);
  const filled = values.map((value) => pattern.replace(text, `/${encodeURIComponent(value)}`));
  return [...filled, ...(isOptional ? [pattern.replace(text, '')] : [])].flatMap((one) => fill(one, shown));
}

/** A project with demo data, and in it one thing for each screen that shows one. */
async function demoOf(view: OpenConsole) {
  const { id } = await view.ask<{ id: number }>('/api/burrow/demo/', {
    method: 'POST',
    body: { kind: 'saas', size: 'small' },
  });
  const all = '/api/burrow/demo/';
  type Demo = { id: number; state: string };
  const stateOf = async () =>
    (await view.ask<{ results: Demo[] }>(all)).results.find((demo) => demo.id === id)?.state;
  await expect.poll(stateOf, { timeout: 60_000, interval: 300 }).toBe('ready');
  const list = async (path: string) =>
    (await view.ask<{ results: Record<string, unknown>[] }>(`/api/projects/${id}/${path}`)).results;
  const action = await view.ask<{ id: number }>(`/api/projects/${id}/actions/`, {
    method: 'POST',
    body: { name: 'Any page', steps: [{ event: '$pageview' }] },
  });
  const file = await fetch(`${view.server.url}/api/projects/${id}/burrow/imports/?name=orders.csv`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${view.server.personalApiKey}` },
    body: 'ordered,customer,event,amount\n2026-02-01 09:00,ada@example.com,order placed,9.5\n',
  });
  const { id: importId } = (await file.json()) as { id: string };
  const [insights, dashboards, flags, cohorts, persons] = await Promise.all(
    ['insights/', 'dashboards/', 'feature_flags/', 'cohorts/', 'persons/'].map(list),
  );
  const groups = await list('groups/?group_type_index=0');
  const query = { kind: 'EventsQuery', select: ['properties.$session_id'], after: 'all', limit: 1 };
  const sessions = await view.ask<{ results: string[][] }>(`/api/projects/${id}/query/`, {
    method: 'POST',
    body: { query: { ...query, where: ['properties.$session_id IS NOT NULL'] } },
  });
  const kinds = new Map(
    insights!.map(({ short_id: shortId, query: own }) => [kindIn(own), String(shortId)] as const),
  );
  const first = (found: Record<string, unknown>[] | undefined, key: string) => String(found![0]![key]);
  return {
    id,
    shown: {
      actionId: ['new', String(action.id)],
      cohortId: ['new', first(cohorts, 'id')],
      dashboardId: [first(dashboards, 'id')],
      flagId: ['new', first(flags, 'id')],
      importId: [importId],
      insightId: ['new', ...kinds.values()],
      personId: [first(persons, 'uuid')],
      sessionId: [sessions.results[0]![0]!],
      viewId: [],
      typeIndex: ['0'],
      groupKey: [first(groups, 'group_key')],
    },
  };
}

function kindIn(query: unknown): string {
  return ((query as { source?: { kind: string } }).source ?? { kind: '' }).kind;
}

test('no screen of a project scrolls sideways on a phone, nor zoomed to 400 %', async () => {
  const view = await openConsole();
  const { page } = view;
  const { id, shown } = await demoOf(view);
  const paths = pathsOf(shown).filter((path) => !/^\/sql\/./.test(path));
  expect(paths).toEqual(expect.arrayContaining(['/explore', '/sessions', '/settings/keys', '/playground']));
  const found: string[] = [];
  for (const path of paths) {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 844 });
      if (width === WIDTHS[0]) await page.goto(`${view.server.url}/project/${id}${path}`);
      if (!(await page.evaluate<boolean>(SETTLED))) found.push(`${path} at ${width}: is still loading`);
      const beyond = await page.evaluate<string[]>(BEYOND);
      found.push(...beyond.map((text) => `${path} at ${width}: ${text}`));
    }
  }
  expect(found).toEqual([]);
  // The last screen would go on to request the project.
  await page.goto('about:blank');
  await view.ask(`/api/burrow/demo/${id}/`, { method: 'DELETE' });
  expect(await view.close()).toEqual([]);
}, 300_000);
