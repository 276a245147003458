import { describe, expect, test } from 'vitest';
import { askHogql, type AskOptions } from '../../../../test/support/ask-hogql.ts';
import { settle } from '../../../../test/support/app-events.ts';
import { nov, openShop, SHOP_EVENTS } from '../../../../test/support/hogql-shop.ts';
import { sendEvents } from '../../../../test/support/send-events.ts';

const TYPES: Record<string, 'Numeric'> = { amount: 'Numeric', age: 'Numeric' };

async function shop() {
  const app = await openShop();
  const ask = (text: string, options: AskOptions = {}) =>
    askHogql(app, text, { propertyType: (_kind, name) => TYPES[name] ?? null, ...options });
  return { app, ask, rows: async (text: string, options?: AskOptions) => (await ask(text, options)).results };
}

/** How many events have each value, by plain counting. */
function counts(of: (event: (typeof SHOP_EVENTS)[number]) => string): [string, number][] {
  const found = new Map<string, number>();
  for (const event of SHOP_EVENTS) found.set(of(event), (found.get(of(event)) ?? 0) + 1);
  return [...found];
}

const byName = ([a]: [string, number], [b]: [string, number]): number => (a < b ? -1 : 1);
const names = counts(({ event }) => event!).sort(byName);
const days = counts(({ timestamp }) => timestamp!.slice(0, 10)).sort(byName);
const inOrder = SHOP_EVENTS.map(({ event, distinct_id: id }) => [event, id]);

describe('the clauses of a SELECT', () => {
  test('GROUP BY and ORDER BY accept names, positions and aliases; aliases mean the same in both', async () => {
    const { rows } = await shop();
    expect(await rows('select event, count() from events group by event order by event')).toEqual(names);
    expect(await rows('select event, count() from events group by 1 order by 1')).toEqual(names);
    expect(await rows('select event as e, count() as c from events group by e order by e')).toEqual(names);
    const most = names.filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1]);
    expect(
      await rows('select event, count() as c from events group by event having c > 1 order by c desc'),
    ).toEqual(most);
    expect(
      await rows(`select event as name, count() from events where name = 'bought' group by name`),
    ).toEqual([['bought', 4]]);
    expect(await rows('select count() * 2 as twice, twice + 1 from events')).toEqual([[22, 23]]);
    expect(await rows(`select upper(event) as event from events where event = 'BOUGHT' limit 1`)).toEqual([
      ['BOUGHT'],
    ]);
  });

  test('a GROUP BY expression may be selected, and used inside others', async () => {
    const { rows } = await shop();
    expect(
      await rows(
        'select toString(toDate(timestamp)), count() from events group by toDate(timestamp) order by 1',
      ),
    ).toEqual(days);
    expect(await rows(`select concat('on ', event), count() from events group by event order by 1`)).toEqual(
      names.map(([name, count]) => [`on ${name}`, count]),
    );
    expect(await rows('select arrayMap(x -> x + 1, [1, 2]) as l, count() from events group by l')).toEqual([
      [[2, 3], 11],
    ]);
    expect(await rows('select event, count() from events group by all order by event')).toEqual(names);
    expect(await rows('select count() from events group by rollup(event) order by 1 desc limit 1')).toEqual([
      [11],
    ]);
  });

  test('DISTINCT, LIMIT, OFFSET and LIMIT BY', async () => {
    const { rows } = await shop();
    expect(await rows('select distinct event from events order by event')).toEqual(
      names.map(([name]) => [name]),
    );
    expect(await rows('select event, distinct_id from events order by timestamp limit 2 offset 3')).toEqual(
      inOrder.slice(3, 5),
    );
    const firsts = inOrder.filter(([, id], at) => inOrder.findIndex(([, other]) => other === id) === at);
    expect(
      await rows('select event, distinct_id from events order by timestamp limit 1 by distinct_id'),
    ).toEqual(firsts);
  });

  test('ORDER BY with LIMIT returns the first rows, for recent and compacted events', async () => {
    const { app, rows, ask } = await shop();
    await settle(app);
    const more = SHOP_EVENTS.map((event, at) => ({
      ...event,
      timestamp: nov(1 + ((at * 7) % 6), `11:${10 + at}:00`),
    }));
    await sendEvents(app, more);
    const conditions = [
      '1 = 1',
      `event = 'bought'`,
      `properties.$browser != 'Safari' and properties.amount > 1`,
      `person.properties.age > 30`,
      `person_id in (select id from persons where properties.age > 30)`,
    ];
    for (const condition of conditions) {
      const select = `select timestamp, distinct_id, event, person_id, properties.amount, $session_id from events where ${condition}`;
      const all = (await rows(select)).toSorted((a, b) => (String(a[0]) < String(b[0]) ? 1 : -1));
      expect(await rows(`${select} order by timestamp desc limit 5 offset 2`)).toEqual(all.slice(2, 7));
    }
    const { compiled } = await ask('select properties from events order by timestamp desc limit 5');
    expect(compiled.sql).toContain('e.rowid IN');
  });

  test('without LIMIT a hundred rows are returned, and at most the allowed number; one more shows that there are more', async () => {
    const { ask, app } = await shop();
    const all = await ask('select number from numbers(1000)');
    expect([all.results.length, all.compiled.limit, all.compiled.offset]).toEqual([100, 100, 0]);
    const some = await ask('select number from numbers(1000) limit 900', { limits: { maxRows: 50 } });
    expect([some.results.length, some.compiled.limit]).toEqual([50, 50]);
    const { sql, params } = some.compiled;
    expect(await app.store.analytics.all(sql, params)).toHaveLength(51);
  });

  test('several texts are compared by IN, for which the engine skips parts of the store', async () => {
    const { ask } = await shop();
    const { compiled } = await ask("SELECT count() FROM events WHERE distinct_id IN ('ann', 'bob')");
    expect(compiled.sql).toMatch(/ IN \(\$p\d+::VARCHAR, \$p\d+::VARCHAR\)/);
  });

  test('joins have the columns of both sides, and the missing rows of an outer one', async () => {
    const { rows } = await shop();
    const pairs = await rows(`
      select e.distinct_id, p.properties.age from events e join persons p on e.person_id = p.id
      where e.event = 'bought' and p.properties.age is not null order by e.timestamp`);
    expect(pairs).toEqual([
      ['lin', 31],
      ['sam', 52],
    ]);
    expect(
      await rows('select a.n, b.n from (select 1 as n) a left join (select 2 as n) b on a.n = b.n'),
    ).toEqual([[1, 0]]);
    expect(
      await rows('select n, a.x, b.y from (select 1 as n, 2 as x) a join (select 1 as n, 3 as y) b using n'),
    ).toEqual([[1, 2, 3]]);
    expect(
      await rows('select * from (select 1 as n, 2 as x) a join (select 1 as n, 3 as y) b using n'),
    ).toEqual([[1, 2, 3]]);
    expect(
      await rows('select a.number + 10 * b.number from numbers(2) a cross join numbers(2) b order by 1'),
    ).toEqual([[0], [1], [10], [11]]);
    expect(
      await rows('select number from numbers(4) n left semi join (select 2 as x) m on n.number = m.x'),
    ).toEqual([[2]]);
    expect(
      await rows(
        'select number from numbers(3) n left anti join (select 2 as x) m on n.number = m.x order by 1',
      ),
    ).toEqual([[0], [1]]);
    expect(
      await rows(
        `select e.event, e.person.properties.age from events e join persons p on e.person.id = p.id and p.properties.age > 50 order by e.timestamp`,
      ),
    ).toEqual([
      ['$pageview', 52],
      ['bought', 52],
    ]);
    // A text, which may also be read inside, is a column like any other.
    expect(
      await rows("select n, x, y from (select 'a' as n, 2 as x) a join (select 'a' as n, 3 as y) b using n"),
    ).toEqual([['a', 2, 3]]);
  });

  test('LEFT ANY JOIN takes one row of the right side at most, and the defaults where there is none', async () => {
    const { rows } = await shop();
    const left = '(select 1 as k union all select 2 union all select 3)';
    const right = `(select 1 as k, 'a' as v union all select 1, 'a' union all select 2, 'b')`;
    const joined = (words: string): Promise<unknown> =>
      rows(`select l.k, r.v from ${left} as l ${words} ${right} as r on l.k = r.k order by l.k`);
    expect(await joined('LEFT ANY JOIN')).toEqual([
      [1, 'a'],
      [2, 'b'],
      [3, ''],
    ]);
    expect(await joined('LEFT JOIN')).toHaveLength(4);
    await expect(
      rows('select e.event from events as e LEFT ANY JOIN events as o on e.person.id = o.person.id'),
    ).rejects.toThrow('LEFT ANY JOIN requires a table without joins');
  });

  test('ASOF JOIN uses the nearest row before', async () => {
    const { rows } = await shop();
    const found = await rows(`
      select b.distinct_id, toString(toDate(v.timestamp)) from events b
      asof join (select person_id, timestamp from events where event = '$pageview') v
        on v.person_id = b.person_id and v.timestamp <= b.timestamp
      where b.event = 'bought' order by b.timestamp`);
    expect(found).toEqual([
      ['lin', '2026-11-01'],
      ['mo', '2026-11-02'],
      ['mo', '2026-11-02'],
      ['sam', '2026-11-04'],
    ]);
  });

  test('subqueries in FROM, in WITH, in conditions and as values', async () => {
    const { rows } = await shop();
    expect(await rows('select max(c) from (select count() as c from events group by event)')).toEqual([[5]]);
    const twice =
      'with x as (select distinct_id as d from events where event = {}) select count() from x a join x b on a.d = b.d';
    expect(await rows(twice.replace('{}', `'bought'`))).toEqual([[1 + 4 + 1]]);
    expect(await rows('with x as (select 2 as n) select number from numbers(4) where number in x')).toEqual([
      [2],
    ]);
    expect(await rows('with 5 as five, five + 1 as six select six')).toEqual([[6]]);
    expect(await rows('with a as (select 1 as n), b as (select n + 1 as n from a) select n from b')).toEqual([
      [2],
    ]);
    const buyers = new Set(
      SHOP_EVENTS.filter(({ event }) => event === 'bought').map(({ distinct_id: id }) => id),
    );
    const theirs = SHOP_EVENTS.filter(({ distinct_id: id }) => buyers.has(id)).length;
    expect(
      await rows(
        `select count() from events where distinct_id in (select distinct_id from events where event = 'bought')`,
      ),
    ).toEqual([[theirs]]);
    expect(await rows('select (select count() from events) as n, n + 1')).toEqual([[11, 12]]);
    expect(
      await rows(
        `select count() from events e where exists (select 1 from persons p where p.id = e.person_id and p.properties.age > 50)`,
      ),
    ).toEqual([[2]]);
  });

  test('UNION, INTERSECT and EXCEPT convert columns to one type', async () => {
    const { ask, rows } = await shop();
    expect(await rows('select 1 union all select 1')).toEqual([[1], [1]]);
    expect(await rows('select 1 union distinct select 1')).toEqual([[1]]);
    expect(await rows('select number from numbers(4) intersect select 2')).toEqual([[2]]);
    expect(await rows('select number from numbers(2) except select 1')).toEqual([[0]]);
    const mixed = await ask(`select 1 as x union all select 2.5 union all select null`);
    expect([mixed.types, mixed.results]).toEqual([['Nullable(Float64)'], [[1], [2.5], [null]]]);
    const persons = await ask('select person_id from events union distinct select id from persons');
    expect([persons.types, persons.results.length]).toEqual([['UUID'], 4]);
  });

  test('windows, including named ones, over rows and over groups', async () => {
    const { rows } = await shop();
    expect(await rows('select number, sum(number) over (order by number) from numbers(3)')).toEqual([
      [0, 0],
      [1, 1],
      [2, 3],
    ]);
    expect(
      await rows(
        'select number, row_number() over w, lagInFrame(number) over w from numbers(2) window w as (order by number desc) order by 1',
      ),
    ).toEqual([
      [0, 2, 1],
      [1, 1, 0],
    ]);
    expect(
      await rows(
        'select sum(number) over (order by number rows between 1 preceding and current row) from numbers(3)',
      ),
    ).toEqual([[0], [1], [3]]);
    const shares = await rows(
      'select event, count() / sum(count()) over () from events group by event order by event',
    );
    expect(shares).toEqual(names.map(([name, count]) => [name, count / SHOP_EVENTS.length]));
    expect(
      await rows('select number from numbers(5) qualify row_number() over (order by number desc) = 1'),
    ).toEqual([[4]]);
  });

  test('ARRAY JOIN returns a row for each item, and LEFT ARRAY JOIN keeps rows without items', async () => {
    const { rows } = await shop();
    expect(
      await rows(
        `select n, x, y from (select 7 as n, [1, 2] as a, ['p', 'q'] as b) array join a as x, b as y`,
      ),
    ).toEqual([
      [7, 1, 'p'],
      [7, 2, 'q'],
    ]);
    expect(
      await rows(`select x, count() from (select [1, 1, 2] as a) array join a as x group by x order by x`),
    ).toEqual([
      [1, 2],
      [2, 1],
    ]);
    expect(await rows('select n, x from (select 1 as n, [] as a) array join a as x')).toEqual([]);
    expect(await rows('select n, x from (select 1 as n, [] as a) left array join a as x')).toEqual([
      [1, null],
    ]);
  });

  test('SAMPLE returns the same senders every time', async () => {
    const { rows } = await shop();
    const half = await rows('select distinct distinct_id from events sample 0.5 order by 1');
    expect(await rows('select distinct distinct_id from events sample 0.5 order by 1')).toEqual(half);
    expect(await rows('select count() from events sample 1')).toEqual([[11]]);
  });

  test('columns with the same name have their own positions', async () => {
    const { ask } = await shop();
    const { columns, results } = await ask(
      'select 1 as a, 2 as a, properties.$browser, event from events order by timestamp limit 1',
    );
    expect([columns, results]).toEqual([['a', 'a', '$browser', 'event'], [[1, 2, 'Firefox', '$pageview']]]);
    expect((await ask('select count(), 1 + 1 from events')).columns).toEqual(['count()', '1 + 1']);
  });
});
