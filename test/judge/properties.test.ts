import { expect, test } from 'vitest';
import { sendEvents } from '../support/send-events.ts';
import { openTestApp } from '../support/test-app.ts';
import { askBoth, DATABASE } from './ask-both.ts';
import { shareClickhouse } from './clickhouse.ts';
import { JUDGED_TYPES } from './judged-events.ts';
import { loadProject } from './load-project.ts';

const openClickhouse = shareClickhouse();

/** `n` is defined as a number, `paid` as a boolean, `due` as a moment; `list` has no type. */
const VALUES: readonly unknown[] = [
  5,
  -1.5,
  true,
  '2026-11-03T10:00:00Z',
  'text',
  '["a","b"]',
  '',
  null,
  ['a', 'b'],
  [1, [2, 3], { x: 4 }],
  [],
  { x: 5, '1': 'one', y: ['deep'] },
  { '0': 'zero' },
];
const PATHS = [
  '.1',
  '.2',
  '[1]',
  '[2]',
  '[100]',
  '.x',
  `['x']`,
  `['1']`,
  '[3].x',
  `[3]['x']`,
  '[2][1]',
  '.y[1]',
  '.y.1',
];

test.for(['n', 'paid', 'due', 'list'])(
  'parts of properties are as in ClickHouse, of %s',
  async (name, context) => {
    const clickhouse = await openClickhouse(context);
    const app = await openTestApp();
    await sendEvents(
      app,
      VALUES.map((value, at) => ({
        event: 'e',
        distinct_id: 'ada',
        timestamp: `2026-11-03T10:00:${String(at).padStart(2, '0')}Z`,
        properties: { [name]: value, $set: { [name]: value } },
      })),
    );
    const options = { propertyType: JUDGED_TYPES };
    await loadProject(clickhouse, app.store, DATABASE, options);
    for (const owner of ['properties', 'person.properties', 'events.properties']) {
      const columns = PATHS.map((path) => `${owner}.${name}${path}`);
      for (const column of columns) {
        const query = `select ${column}, toTypeName(${column}) from events order by timestamp`;
        expect.soft(await askBoth({ store: app.store, clickhouse }, query, options), column).toBeNull();
      }
      const all = `select ${columns.join(', ')} from events where ${columns[0]!} is null order by timestamp`;
      expect.soft(await askBoth({ store: app.store, clickhouse }, all, options), owner).toBeNull();
    }
  },
);
