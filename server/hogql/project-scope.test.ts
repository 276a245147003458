// @module-tag deep
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { askHogql, type AskOptions } from '../../test/support/ask-hogql.ts';
import { addProject, nov } from '../../test/support/hogql-shop.ts';
import { sendEvents, type SentEvent } from '../../test/support/send-events.ts';
import { openTestApp } from '../../test/support/test-app.ts';
import { HogqlError } from './errors.ts';
import { TABLES } from './tables/tables.ts';

/** One sender's visit with a mark in every text that it stores. */
function marked(mark: string): SentEvent[] {
  const properties = {
    $session_id: `${mark}-s`,
    $browser: `${mark}-b`,
    $pathname: `/${mark}`,
    note: mark,
    $groups: { company: `${mark}-g` },
  };
  return [
    {
      event: `${mark} seen`,
      distinct_id: `${mark}-u`,
      timestamp: nov(1),
      properties: { ...properties, $set: { email: mark } },
    },
    { event: 'seen', distinct_id: `${mark}-u`, timestamp: nov(2), properties },
    {
      event: '$groupidentify',
      distinct_id: `${mark}-u`,
      timestamp: nov(2),
      properties: { $group_type: 'company', $group_key: `${mark}-g`, $group_set: { name: mark } },
    },
  ];
}

/** A store with project 1, marked `mine`, and another whose texts all say `theirs`. */
async function twoProjects() {
  const app = await openTestApp();
  const other = await addProject(app);
  await sendEvents(app, marked('mine'));
  await sendEvents(app, marked('theirs'), other.token);
  await app.store.db.transaction(async (tx) => {
    await tx.run('INSERT INTO events SELECT * FROM recent_events');
    await tx.run('DELETE FROM events_recent');
  });
  await sendEvents(app, marked('mine'));
  await sendEvents(app, marked('theirs'), other.token);
  return { app, other };
}

const OPTIONS: AskOptions = {
  groupTypes: ['company'],
  cohort: () => ({ id: 1, sql: 'SELECT id FROM persons WHERE project_id = $p', params: { p: 1 } }),
  cohortIds: () => [1],
  readableRows: () => ({ byDefault: true, exceptions: [] }),
};

const FIELDS: Record<string, readonly string[]> = {
  events: [
    'event',
    'distinct_id',
    'properties',
    'properties.note',
    'person_id',
    'person.properties.email',
    'pdi.distinct_id',
    'session.$entry_pathname',
    'group_0.properties.name',
    'company.key',
    '$session_id',
    'person.pdi.distinct_id',
  ],
  persons: ['id', 'properties', 'properties.email', 'pdi.distinct_id', 'created_at'],
  groups: ['key', 'properties.name', 'index'],
  person_distinct_ids: ['distinct_id', 'person_id', 'person.properties.email'],
  cohort_people: ['person_id', 'cohort_id', 'person.properties'],
  sessions: ['session_id', 'distinct_id', 'person.properties.email', '$exit_pathname', '$channel_type'],
};

const table = fc.constantFrom(...Object.keys(FIELDS));
const joinType = fc.constantFrom(
  'join',
  'left join',
  'right join',
  'full join',
  'left semi join',
  'left anti join',
);
const condition = fc.constantFrom(
  '1 = 1',
  'not 1 = 0',
  `concat({}, '') != 'x'`,
  '{} is null or 1 = 1',
  '{} in (select distinct_id from events)',
  `{} not in (select 'nobody')`,
  `toString({}) like '%' or 1`,
);
const query = fc.record({
  left: table,
  right: table,
  join: joinType,
  where: condition,
  on: fc.constantFrom('1 = 1', '1 != 2'),
  shape: fc.nat(5),
  pick: fc.nat(11),
  other: fc.nat(11),
});

function textOf({
  left,
  right,
  join,
  where,
  on,
  shape,
  pick,
  other,
}: typeof query extends fc.Arbitrary<infer T> ? T : never): string {
  const a = FIELDS[left]![pick % FIELDS[left]!.length]!;
  const b = FIELDS[right]![other % FIELDS[right]!.length]!;
  const condition = where.replaceAll('{}', `a.${a}`);
  switch (shape) {
    case 0:
      return `select * from ${left}`;
    case 1:
      return `select a.${a} from ${left} a where ${condition}`;
    case 2:
      return `select a.${a}, ${join.includes('left ') && join !== 'left join' ? '1' : `b.${b}`} from ${left} a ${join} ${right} b on ${on} where ${condition}`;
    case 3:
      return `select a.${a}, count() from ${left} a group by 1 union all select ${b}, 1 from ${right}`;
    case 4:
      return `with q as (select a.${a} as v from ${left} a) select x.v, y.v, (select max(toString(${b})) from ${right}) from q x cross join q y`;
    default:
      return `select a.${a}, row_number() over (order by 1) from ${left} a limit 3 by a.${a}`;
  }
}

describe('queries are limited to their project', () => {
  test('no selection, join, union or lookup returns data of another project', async () => {
    const { app } = await twoProjects();
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(query, async (parts) => {
        const { results } = await askHogql(app, textOf(parts), OPTIONS).catch((error: unknown) => {
          if (error instanceof HogqlError) return { results: null };
          throw error;
        });
        if (results === null) return;
        answered++;
        expect(JSON.stringify(results)).not.toContain('theirs');
      }),
      { numRuns: 120 },
    );
    expect(answered).toBeGreaterThan(60);
  }, 180_000);

  test('each table has only the rows of the project of the query', async () => {
    const { app, other } = await twoProjects();
    for (const name of TABLES.keys()) {
      const mine = JSON.stringify((await askHogql(app, `select * from ${name}`, OPTIONS)).results);
      expect(mine).not.toContain('theirs');
      const foreign = await askHogql(app, `select * from ${name}`, {
        ...OPTIONS,
        projectId: other.id,
        cohortIds: () => [],
      });
      expect(JSON.stringify(foreign.results)).not.toContain('mine');
      // No event fills the others.
      if (name !== 'cohort_people' && !name.startsWith('system.')) expect(foreign.results).not.toEqual([]);
    }
  });

  test('the project id is not a column, and no name or text changes it', async () => {
    const attempts = [
      'select event from events where project_id = 2',
      'select e.project_id from events e',
      'select 1 as project_id, event from events where project_id in (1, 2)',
      'select event from events where team_id = 2',
      'select * from all_events',
      'select * from main.events',
      'select * from events_recent',
      'select api_token from projects',
    ];
    const { app } = await twoProjects();
    for (const text of attempts) {
      const results = await askHogql(app, text).then(
        (answer) => answer.results,
        (error: unknown) => error,
      );
      if (results instanceof Error) expect([text, results instanceof HogqlError]).toEqual([text, true]);
      else expect(JSON.stringify(results)).not.toContain('theirs');
    }
  });
});
