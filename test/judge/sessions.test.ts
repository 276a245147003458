import { expect, test } from 'vitest';
import { sessionsTable } from '../../server/hogql/tables/sessions-table.ts';
import { openTestApp } from '../support/test-app.ts';
import { askBoth, DATABASE } from './ask-both.ts';
import { shareClickhouse } from './clickhouse.ts';
import { JUDGED_TYPES, sendJudgedEvents } from './judged-events.ts';
import { loadProject } from './load-project.ts';

const openClickhouse = shareClickhouse();
const SESSIONS = [...sessionsTable.columns.keys(), ...sessionsTable.expressions!.keys()];

test('sessions, channels and bots are what ClickHouse computes', async (context) => {
  const clickhouse = await openClickhouse(context);
  const app = await openTestApp();
  await sendJudgedEvents(app);
  await loadProject(clickhouse, app.store, DATABASE, { propertyType: JUDGED_TYPES });
  const texts = [
    `SELECT ${SESSIONS.join(', ')} FROM sessions ORDER BY session_id`,
    `SELECT $virt_initial_channel_type, properties.$virt_initial_referring_domain_type, $virt_revenue, $virt_mrr
     FROM persons ORDER BY toString(id)`,
    `SELECT $virt_is_bot, $virt_traffic_type, $virt_traffic_category, $virt_bot_name, $virt_bot_operator,
     person.$virt_initial_channel_type, session.$channel_type, session.$is_bounce, session.$entry_hostname FROM events ORDER BY timestamp`,
    'SELECT session.$channel_type AS c, $virt_is_bot AS b, count() FROM events GROUP BY c, b ORDER BY c, b',
  ];
  for (const text of texts) {
    const difference = await askBoth({ store: app.store, clickhouse }, text, { propertyType: JUDGED_TYPES });
    expect([text, difference]).toEqual([text, null]);
  }
});
