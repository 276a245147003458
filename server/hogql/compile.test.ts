import { describe, expect, test } from 'vitest';
import { testHogqlContext, type AskOptions } from '../../test/support/ask-hogql.ts';
import { parseHogql } from '../../test/support/parse-hogql.ts';
import { compileHogql } from './compile.ts';
import { describeHogqlError, HogqlError } from './errors.ts';

/** The error of a query that cannot be compiled. */
async function refusalOf(text: string, options: AskOptions = {}): Promise<string> {
  try {
    compileHogql(await parseHogql(text), testHogqlContext(options));
  } catch (error) {
    if (error instanceof HogqlError) return describeHogqlError(error, text);
    throw error;
  }
  return 'nothing was wrong';
}

const compiled = async (text: string, options: AskOptions = {}) =>
  compileHogql(await parseHogql(text), testHogqlContext(options));

describe('an invalid query is refused with the error and its position', () => {
  const cases: readonly (readonly [text: string, says: string])[] = [
    ['select event from evnts', 'Line 1, column 19: Unknown table "evnts". Did you mean "events"?'],
    ['select evnt from events', 'Line 1, column 8: Unknown column "evnt". Did you mean "event"?'],
    [
      'select event\nfrom events\nwhere timestmp > 1',
      'Line 3, column 7: Unknown column "timestmp". Did you mean "timestamp"?',
    ],
    [
      'select e.evnt from events e',
      'Line 1, column 8: Table "e" has no column "evnt". Did you mean "event"?',
    ],
    [
      'select person from events',
      'Line 1, column 8: "person" is a table: use one of its columns, as in "person.id".',
    ],
    ['select person.emial from events', 'Line 1, column 8: "person" has no column "emial".'],
    ['select cuont() from events', 'Line 1, column 8: Unknown function "cuont". Did you mean "count"'],
    ['select uniq() from events', 'Line 1, column 8: Function "uniq" requires at least 1 argument, found 0.'],
    [
      'select event from events where count() > 1',
      'Line 1, column 32: Aggregate function "count" cannot be used in WHERE. Use HAVING for conditions on it.',
    ],
    ['select count() as c from events where c > 1', 'Aggregate function "count" cannot be used in WHERE'],
    [
      'select sum(count()) from events',
      'Line 1, column 12: Aggregate function "count" is inside another aggregate function.',
    ],
    [
      'select event, count() from events',
      'Line 1, column 8: "event" is not under an aggregate function and not in GROUP BY: add it to GROUP BY or use an aggregate function',
    ],
    ['select event from events order by count()', '"event" is not under an aggregate function'],
    [
      'select count() from events group by event having distinct_id = 1',
      '"distinct_id" is not under an aggregate function',
    ],
    [
      'select event from events group by 3',
      'Line 1, column 35: Column 3 does not exist: 1 columns are selected.',
    ],
    [
      'select timestamp from events a join events b on a.uuid = b.uuid',
      'Line 1, column 8: Column "timestamp" is ambiguous: use a table name, as in "a.timestamp".',
    ],
    [
      'select 1 from events a join persons a on 1 = 1',
      '"a" is joined twice: use a different alias for each.',
    ],
    ['select 1 from events e inner join persons p', 'INNER JOIN requires ON or USING'],
    [
      'select 1 from events a asof join events b on a.uuid = b.uuid',
      'ASOF JOIN requires exactly one comparison with <, <=, > or >=, and otherwise equality conditions.',
    ],
    [
      `select event from events where timestamp > 'yesterday'`,
      `Line 1, column 44: 'yesterday' is not a valid date or time.`,
    ],
    ['select event from events limit 1 + 1', 'LIMIT requires a whole number.'],
    ['select event from events where person_id in cohort 9', 'Line 1, column 52: Unknown cohort 9.'],
    [
      'select event from events where event in cohort 9',
      'IN COHORT requires a person, as in "person_id IN COHORT 5".',
    ],
    ['select event from events where {filters}', '{filters} has no value here.'],
    ['select row_number() from events', 'Window function "row_number" requires OVER (…).'],
    ['select upper(event) over () from events', '"upper" cannot be used with OVER.'],
    ['select sum(1) over w from events', 'Unknown window "w".'],
    ['select event from events where sum(1) over () > 1', 'Window functions cannot be used in WHERE.'],
    ['select (select 1, 2)', 'A scalar subquery must return one column, found 2.'],
    ['select 1 in (select 1, 2)', 'The subquery after IN must have one column, not 2.'],
    [
      'select 1 union all select 1, 2',
      'Combined queries must have the same number of columns, found 1 and 2.',
    ],
    ['select * from (select 1) x, (select 2) y where z.a = 1', 'Unknown column "z".'],
    ['select x.* from events', 'Unknown table "x".'],
    ['select 1::json', 'Unknown type "json".'],
    ['select a', 'Unknown column "a": the query has no FROM. Use single quotes for strings.'],
    ['with x as (select * from x) select * from x', 'Unknown table "x".'],
    ['select number from numbers(100000000)', '"numbers" returns up to 10000000 rows.'],
    ['select * from read_csv(1)', 'Unknown table function "read_csv".'],
    ['select a.b from (select 1 as a)', '"a" has no field "b".'],
  ];

  test.each(cases)('%s', async (text, says) => {
    expect(await refusalOf(text)).toContain(says);
  });

  test('nested aliases are limited in size', async () => {
    const steps = Array.from({ length: 40 }, (_, at) => `a${at} || a${at} as a${at + 1}`);
    expect(await refusalOf(`select 'x' as a0, ${steps.join(', ')}`)).toContain('too large');
  });

  test('an alias of its own column refers to the column, and a circular alias is unknown', async () => {
    expect((await compiled('select upper(event) as event from events')).columns).toMatchObject([
      { name: 'event', type: 'String' },
    ]);
    expect(await refusalOf('select b + 1 as a, a + 1 as b')).toContain('Unknown column');
  });
});

describe('a compiled query', () => {
  test('has the same text for the same query', async () => {
    const text = 'select person.properties.email, arrayMap(x -> x + 1, [1]) from events where event = {}';
    const one = await compiled(text.replace('{}', `'a'`));
    expect(await compiled(text.replace('{}', `'a'`))).toEqual(one);
    expect((await compiled(text.replace('{}', `'b'`))).sql).toBe(one.sql);
  });

  test('contains no text of the query: constants are parameters, names are replaced', async () => {
    const { sql, params } = await compiled(
      `with "w'1" as (select properties."p'2" as "c'3" from events where event = 'e''4' and properties['k'';--'] = 'v')
       select "c'3" as "a'5" from "w'1" as "t'6" group by "a'5"`,
    );
    expect(sql).not.toMatch(/w'1|p'2|c'3|e''?4|a'5|t'6|--|'v'/);
    expect(Object.values(params)).toEqual(expect.arrayContaining(["/p'2", "e'4", "/k';--", 'v', 1]));
  });

  test('reads only columns that the query uses', async () => {
    const { sql } = await compiled(
      `select count() from events where event = 'x' and timestamp >= '2026-01-01'`,
    );
    expect(sql).not.toMatch(/properties|person|LEFT JOIN|uuid/);
  });
});
