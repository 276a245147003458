// @module-tag browser
import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import type { OpenConsole } from '../support/console.ts';
import { expectSeen } from '../support/expect-seen.ts';
import { keyboardOf } from '../support/keyboard.ts';
import { shareConsole } from '../support/shared-console.ts';

const openConsole = shareConsole();

let view: OpenConsole;

afterEach(async () => {
  expect(await view.close()).toEqual([]);
});

interface Stored {
  id: number;
  tiles: ({ insight: Record<string, unknown> | null; text: { body: string } | null } & Record<
    string,
    unknown
  >)[];
  [key: string]: unknown;
}

const apiOf = (rest: string) => `/api/projects/${view.server.projectId}/${rest}`;
const post = <T>(path: string, body: object) => view.ask<T>(apiOf(path), { method: 'POST', body });
const at = (x: number, y: number, w: number, h: number) => ({ sm: { x, y, w, h } });
const SERIES = [{ kind: 'EventsNode', event: 'bought' }];
const wrapped = (source: object) => ({ kind: 'InsightVizNode', source });

/** One question of each kind that a tile shows. */
const QUERIES: Readonly<Record<string, object>> = {
  Line: wrapped({ kind: 'TrendsQuery', series: SERIES }),
  Number: wrapped({
    kind: 'TrendsQuery',
    series: SERIES,
    trendsFilter: { display: 'BoldNumber' },
    compareFilter: { compare: true },
  }),
  Funnel: wrapped({ kind: 'FunnelsQuery', series: [...SERIES, ...SERIES] }),
  Retention: wrapped({ kind: 'RetentionQuery', retentionFilter: { period: 'Week' } }),
  Paths: wrapped({ kind: 'PathsQuery', pathsFilter: { includeEventTypes: ['$pageview'] } }),
  Stickiness: wrapped({ kind: 'StickinessQuery', series: SERIES }),
  Lifecycle: wrapped({ kind: 'LifecycleQuery', series: SERIES }),
};

/** What of a dashboard is its owner's word; the rest is its number, its maker and its time. */
function contentOf({ description, filters, variables, tags, tiles }: Stored) {
  return {
    description,
    filters,
    variables,
    tags,
    tiles: tiles.map(({ layouts, color, text, insight, ...tile }) => ({
      layouts,
      color,
      body: text?.body,
      insight: insight && [insight['name'], insight['description'], insight['query']],
      showDescription: tile['show_description'],
      overrides: tile['filters_overrides'],
      transparent: tile['transparent_background'],
    })),
  };
}

test('a dashboard that is saved as a file and created from it again is the same, with any tiles', async () => {
  view = await openConsole();
  const { page } = view;
  const variable = await post<{ id: string; code_name: string }>('insight_variables/', {
    name: 'Plan',
    type: 'String',
    default_value: 'free',
  });
  const { id: variableId, code_name: codeName } = variable;
  const queries = {
    ...QUERIES,
    SQL: {
      kind: 'DataTableNode',
      source: {
        kind: 'HogQLQuery',
        query: `select count() from events where properties.plan = {variables.${codeName}}`,
        variables: { [variableId]: { code_name: codeName, variableId } },
      },
    },
  };
  const insights = await Promise.all(
    Object.entries(queries).map(([name, query]) =>
      post<{ id: number }>('insights/', { name, description: `What ${name} is`, query }),
    ),
  );
  const { id } = await post<Stored>('dashboards/', {
    name: 'Whole',
    description: 'All of it',
    tags: ['kpi'],
    filters: {
      date_from: '-14d',
      properties: [{ key: 'plan', value: ['pro'], operator: 'exact', type: 'event' }],
    },
    variables: { [variableId]: { code_name: codeName, variableId, value: 'pro' } },
  });
  await view.ask(apiOf(`dashboards/${id}/`), {
    method: 'PATCH',
    body: {
      tiles: [
        { text: { body: '## Money' }, layouts: at(0, 0, 12, 1), transparent_background: true, color: 'blue' },
        { text: { body: 'How to **read** it' }, layouts: at(0, 1, 12, 4) },
        ...insights.map(({ id: insight }, index) => ({
          insight,
          layouts: { ...at((index % 2) * 6, 5 + Math.floor(index / 2) * 5, 6, 5), xs: { x: 0, y: index } },
          ...(index === 0
            ? { show_description: true, filters_overrides: { date_from: '-90d' }, color: 'green' }
            : {}),
        })),
      ],
    },
  });

  await page.goto(view.at(`/dashboards/${id}`));
  await page.getByRole('button', { name: /^More: TV/ }).click();
  const saving = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: 'Export as JSON' }).click();
  const path = await (await saving).path();
  const file = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
  expect(Object.keys(file)).toEqual(
    expect.arrayContaining(['template_name', 'dashboard_description', 'dashboard_filters', 'tiles']),
  );

  await page.goto(view.at('/dashboards?new=file'));
  await page.getByLabel('Name', { exact: true }).fill('Again');
  await page.locator('input[type=file]').setInputFiles(path);
  await page.getByRole('button', { name: 'Create' }).click();
  await page.waitForURL((url) => /dashboards\/\d+/.test(url.pathname));
  const again = Number(/dashboards\/(\d+)/.exec(page.url())![1]);
  expect(again).not.toBe(id);
  const [before, after] = await Promise.all(
    [id, again].map((its) => view.ask<Stored>(apiOf(`dashboards/${its}/`))),
  );
  expect(after!.tiles).toHaveLength(insights.length + 2);
  expect(contentOf(after!)).toEqual(contentOf(before!));
  expect(await view.violations()).toEqual([]);
});

test('by keyboard alone an empty dashboard is saved as a file and created from it again, with its dates and tags', async () => {
  view = await openConsole();
  const { page } = view;
  const keys = keyboardOf(page);
  const { id } = await post<Stored>('dashboards/', {
    name: 'Bare',
    description: 'Nothing yet',
    tags: ['kpi'],
    filters: { date_from: '-14d' },
  });
  await page.goto(view.at(`/dashboards/${id}`));
  await page.getByText('No tiles yet').waitFor();
  const saving = page.waitForEvent('download');
  await keys.pick(/^More: TV/, 'Export as JSON');
  const path = await (await saving).path();

  await page.goto(view.at('/dashboards?new=file'));
  await expectSeen(page.getByRole('dialog'));
  const choosing = page.waitForEvent('filechooser');
  await keys.enter(/^Select file/);
  await (await choosing).setFiles(path);
  await keys.enter(/^Create/);
  await page.getByText('No tiles yet').waitFor();
  const again = Number(/dashboards\/(\d+)/.exec(page.url())![1]);
  expect(again).not.toBe(id);
  const [before, after] = await Promise.all(
    [id, again].map((its) => view.ask<Stored>(apiOf(`dashboards/${its}/`))),
  );
  expect(after!['name']).toBe('Bare');
  expect(contentOf(after!)).toEqual(contentOf(before!));
});
