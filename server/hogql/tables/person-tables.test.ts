import { describe, expect, test } from 'vitest';
import { openAskedShop, SHOP_EVENTS } from '../../../test/support/hogql-shop.ts';

describe('persons, groups and cohorts in HogQL', () => {
  test('events: person is the current person of the sender, also for events from before a merge, and by its UUID', async () => {
    const { uuids, rows } = await openAskedShop();
    const whose = await rows('select distinct distinct_id, person_id from events order by distinct_id');
    expect(whose).toEqual([
      ['anon-1', uuids.get('lin')],
      ['ghost', uuids.get('ghost')],
      ['lin', uuids.get('lin')],
      ['mo', uuids.get('mo')],
      ['sam', uuids.get('sam')],
    ]);
    expect(
      await rows('select uniq(person_id), count(distinct person_id), uniq(distinct_id) from events'),
    ).toEqual([[4, 4, 5]]);
  });

  test('events: a person is found by its UUID, and one without a row by its future UUID', async () => {
    const { uuids, rows } = await openAskedShop();
    const ids = (id: string) => SHOP_EVENTS.filter((event) => event.distinct_id === id).length;
    for (const id of ['mo', 'ghost']) {
      const count = [[ids(id)]];
      expect(await rows(`select count() from events where person_id = '${uuids.get(id)}'`)).toEqual(count);
      expect(await rows(`select count() from events where person_id in ('${uuids.get(id)}', 'x')`)).toEqual(
        count,
      );
      expect(
        await rows(`select count() from events where concat(person_id, '') = '${uuids.get(id)}'`),
      ).toEqual(count);
    }
    expect(await rows(`select count() from events where person_id = 'nobody'`)).toEqual([[0]]);
  });

  test('a person is shown as a UUID in every expression, and no person as null', async () => {
    const { rows, uuids } = await openAskedShop();
    const lin = uuids.get('lin');
    const texts = [
      'person_id',
      '[person_id]',
      '(person_id, 1)',
      'tuple(person_id)',
      'toString(person_id)',
      'any(person_id)',
      'max(person_id)',
      'groupUniqArray(person_id)',
      'any((person_id, 1))',
    ];
    const seen = [lin, [lin], [lin, 1], [lin], lin, lin, lin, [lin], [lin, 1]];
    for (const [at, text] of texts.entries()) {
      expect([
        text,
        await rows(`select ${text} from events where event = 'bought' and distinct_id = 'lin'`),
      ]).toEqual([text, [[seen[at]]]]);
    }
    expect(
      await rows(`select if(event = 'bought', person_id, null) as p from events where distinct_id = 'ghost'`),
    ).toEqual([[null]]);
    expect(
      await rows(
        `select count() from events where (person_id, event) in (select person_id, event from events where event = 'bought')`,
      ),
    ).toEqual([[4]]);
  });

  test('person, pdi, session and groups are joined when one of their fields is used', async () => {
    const { uuids, ask, rows } = await openAskedShop();
    const emails = await rows(
      `select person.properties.email, pdi.person.properties.email, person.id, count() from events
       where event = 'bought' group by 1, 2, 3 order by 1`,
    );
    expect(emails).toEqual([
      ['lin@shop.test', 'lin@shop.test', uuids.get('lin'), 1],
      ['mo@shop.test', 'mo@shop.test', uuids.get('mo'), 2],
      [null, null, uuids.get('sam'), 1],
    ]);
    const sessions = await rows(
      `select session.$session_duration, session.$entry_pathname, event from events where session.duration > 1800`,
    );
    expect(sessions).toEqual([
      [5400, '/shoes', '$pageview'],
      [5400, '/shoes', '$pageview'],
    ]);
    const sizes = await rows(
      `select company.properties.name, group_0.properties.size from events where event = 'bought' order by timestamp limit 2`,
    );
    expect(sizes).toEqual([
      ['Acme', 12],
      [null, null],
    ]);
    expect((await ask('select event from events')).compiled.sql).not.toContain('LEFT JOIN');
  });

  test('persons and person_distinct_ids', async () => {
    const { uuids, ask, rows } = await openAskedShop();
    const { columns, results } = await ask('select * from persons order by created_at');
    expect(columns).toEqual(['id', 'created_at', 'properties', 'is_identified']);
    expect(results.map((row) => [row[0], row[3]])).toEqual([
      [uuids.get('lin'), true],
      [uuids.get('mo'), false],
      [uuids.get('sam'), false],
      [uuids.get('ghost'), false],
    ]);
    expect(
      await rows('select properties.email, properties.age from persons where properties.age > 40'),
    ).toEqual([[null, 52]]);
    const pairs = await rows(
      'select distinct_id, person_id, person.properties.email from person_distinct_ids order by 1 limit 3',
    );
    expect(pairs).toEqual([
      ['anon-1', uuids.get('lin'), 'lin@shop.test'],
      ['ghost', uuids.get('ghost'), null],
      ['lin', uuids.get('lin'), 'lin@shop.test'],
    ]);
    expect(
      await rows(`select pdi.distinct_id from persons where properties.email = 'lin@shop.test' order by 1`),
    ).toEqual([['anon-1'], ['lin']]);
  });

  test('groups', async () => {
    const { rows } = await openAskedShop();
    expect(await rows('select index, key, properties.name, properties.size from groups')).toEqual([
      [0, 'acme', 'Acme', 12],
    ]);
  });

  test('cohorts: their members by name, by number and as a table', async () => {
    const { uuids, rows } = await openAskedShop();
    const known = SHOP_EVENTS.filter(({ distinct_id: id }) => ['lin', 'anon-1'].includes(id!)).length;
    const all = SHOP_EVENTS.length;
    const count = (condition: string) =>
      rows(`select count() from events where event != 'zoned' and ${condition}`);
    expect(await count('person_id in cohort 5')).toEqual([[known]]);
    expect(await count(`person_id in cohort 'Known'`)).toEqual([[known]]);
    expect(await count('person_id not in cohort 5')).toEqual([[all - known]]);
    expect(await rows('select person_id, cohort_id from cohort_people')).toEqual([[uuids.get('lin'), 5]]);
    expect(await count('person_id in (select person_id from cohort_people where cohort_id = 5)')).toEqual([
      [known],
    ]);
  });
});
