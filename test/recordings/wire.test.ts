import { expect, test } from 'vitest';
import {
  listRecordings,
  readRecording,
  replay,
  wireTarget,
  WIRE_PERSONAL_KEY,
  WIRE_TOKEN,
} from '../support/wire.ts';
import { openRecording } from './recording.ts';

/** Statements whose rows are compared, by name. */
const TABLES: Readonly<Record<string, string>> = {
  events: 'FROM all_events',
  persons: 'FROM persons',
  'distinct ids': 'FROM person_distinct_ids',
  'person overrides': 'FROM person_overrides',
  'group types': 'FROM group_types',
  groups: 'FROM groups',
  'event definitions': 'FROM event_definitions',
  'property definitions': 'FROM property_definitions',
  'event properties': 'FROM event_properties',
  warnings: 'FROM ingestion_warnings',
  'flag calls': 'FROM flag_calls',
  'hash keys': 'FROM flag_hash_keys',
};
const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

test.each(listRecordings())('%s: responses and stored events equal the recording', async (name) => {
  const recording = await openRecording(`wire-${name.replace('.jsonl', '')}`, {
    config: { projectApiKey: WIRE_TOKEN, personalApiKey: WIRE_PERSONAL_KEY },
  });
  const { app } = recording;
  const [first] = readRecording(name);
  app.clock.now = Math.max(app.clock.now, Date.parse(first!.headers['date'] ?? '') || 0);
  for (const recorded of readRecording(name)) {
    if (recorded.path.startsWith('/static/')) continue;
    const { status, headers, text } = await replay(app.url, recorded);
    const { date: _date, connection: _connection, 'content-length': _length, ...compared } = headers;
    recording.note(`${recorded.n} ${recorded.method} ${wireTarget(recorded)} (${recorded.phase})`, [
      status,
      compared,
      text,
    ]);
  }
  for (const [table, from] of Object.entries(TABLES)) {
    const rows = await app.store.db.all<{ row: string }>(`SELECT to_json(t)::VARCHAR AS row ${from} t`);
    // Tables have no order; ids that the server makes differ in each run.
    const sorted = rows
      .map(({ row }) => ({ row, place: row.replaceAll(UUID, '*') }))
      .toSorted((a, b) => (a.place < b.place ? -1 : 1));
    for (const [index, { row }] of sorted.entries()) recording.note(`${table} ${index + 1}`, row);
    if (table === 'events') expect(rows.length).toBeGreaterThan(0);
  }
  expect(recording.finish()).toBe('');
});
