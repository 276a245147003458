import { expect, test } from 'vitest';
import { answerTo } from '../../../../../test/support/query-shop.ts';
import {
  askTrend,
  byDay,
  daysFrom,
  different,
  MODEL_EVENTS,
  openModelApp,
  type ModelEvent,
} from '../../../../../test/support/trends-model.ts';
import type { TestApp } from '../../../../../test/support/test-app.ts';
import { NULL_VALUE, OTHER_VALUE } from '../../breakdown.ts';

const DAYS = daysFrom('2026-11-13', '2026-11-20');
const BOUGHT = { kind: 'EventsNode', event: 'bought' };
const VIEWED = { kind: 'EventsNode', event: '$pageview' };
const GROWING = { trendsFilter: { display: 'ActionsLineGraphCumulative' } };
const COMPANY = { math: 'unique_group', math_group_type_index: 0 };

const named = (name: string): ModelEvent[] => MODEL_EVENTS.filter(({ event }) => event === name);
/** Events of a name from the first day to a day, both included. */
const until = (name: string, day: string): ModelEvent[] =>
  byDay(named(name), DAYS.slice(0, DAYS.indexOf(day) + 1), 'UTC').flat();
const persons = (events: readonly ModelEvent[]): string[] =>
  different(events.map(({ who }) => who)).toSorted();

/** Distinct ids of persons, or keys of groups, behind a point, by the wire. */
async function actors(app: TestApp, query: object, point: object): Promise<string[]> {
  const { results } = await answerTo(app, {
    kind: 'ActorsQuery',
    select: ['id'],
    source: { kind: 'InsightActorsQuery', source: { kind: 'TrendsQuery', ...GROWING, ...query }, ...point },
  });
  const ids = (results as string[][]).map(([id]) => id!);
  if (JSON.stringify(query).includes('unique_group')) return ids.toSorted();
  const known = await answerTo(app, {
    kind: 'HogQLQuery',
    query: 'select toString(person_id), distinct_id from person_distinct_ids',
  });
  return ids.map((id) => known.results.find(([one]: string[]) => one === id)[1] as string).toSorted();
}

test('M9.9.2 the persons of a point of a cumulative trend are all who were counted up to it', async () => {
  const app = await openModelApp();
  for (const day of ['2026-11-14', '2026-11-16', '2026-11-20']) {
    const bought = until('bought', day);
    const viewed = until('$pageview', day);
    expect(await actors(app, { series: [BOUGHT] }, { day })).toEqual(persons(bought));
    expect(await actors(app, { series: [{ ...VIEWED, math: 'dau' }] }, { day })).toEqual(persons(viewed));
    expect(await actors(app, { series: [{ ...VIEWED, math: 'unique_session' }] }, { day })).toEqual(
      persons(viewed.filter(({ properties }) => properties['$session_id'] !== undefined)),
    );
    expect(await actors(app, { series: [{ ...BOUGHT, ...COMPANY }] }, { day })).toEqual(
      different(bought.map(({ company }) => company).filter((key) => key !== undefined)).toSorted(),
    );
  }
  expect(await actors(app, { series: [{ ...VIEWED, math: 'dau' }] }, {})).toEqual(
    persons(until('$pageview', '2026-11-20')),
  );
  // Windows of seven days that end with the first day, the second… up to the one that is picked.
  const active = named('$pageview').filter(({ at }) => at >= '2026-11-07' && at < '2026-11-15');
  expect(
    await actors(app, { series: [{ ...VIEWED, math: 'weekly_active' }] }, { day: '2026-11-14' }),
  ).toEqual(persons(active));
});

test('A-5 a cumulative trend counts a person once for each value, also in Other', async () => {
  const app = await openModelApp();
  const browserOf = ({ properties }: ModelEvent): string => String(properties['$browser'] || NULL_VALUE);
  const valueOf = (event: ModelEvent, top: readonly string[]): string =>
    top.includes(browserOf(event)) ? browserOf(event) : OTHER_VALUE;
  // By persons: Chrome has two, Edge, Firefox and Safari have one each.
  for (const top of [['Chrome'], ['Chrome', 'Edge']]) {
    const query = {
      series: [{ ...VIEWED, math: 'dau' }],
      breakdownFilter: { breakdown: '$browser', breakdown_limit: top.length },
    };
    const { results } = await askTrend(app, { ...query, ...GROWING });
    for (const value of [...top, OTHER_VALUE]) {
      const found = results.find(({ breakdown_value: one }) => one === value)!;
      const whoUntil = (day: string): string[] =>
        persons(until('$pageview', day).filter((event) => valueOf(event, top) === value));
      const ofValues = (day: string): number =>
        different(
          until('$pageview', day)
            .filter((event) => valueOf(event, top) === value)
            .map((event) => `${event.who} ${browserOf(event)}`),
        ).length;
      expect([value, found.data]).toEqual([value, DAYS.map(ofValues)]);
      const point = { day: '2026-11-20', breakdown: value };
      expect(await actors(app, query, point)).toEqual(whoUntil('2026-11-20'));
    }
  }
});

test('A-5 a person with several values beyond the limit counts for each of them', async () => {
  const viewed = (who: string, day: string, browser: string): ModelEvent => ({
    event: '$pageview',
    who,
    at: `2026-11-${day}T08:00:00Z`,
    properties: { $browser: browser },
  });
  const app = await openModelApp([
    ...['lin', 'mo', 'sam'].map((who) => viewed(who, '14', 'Chrome')),
    viewed('eve', '15', 'Edge'),
    viewed('eve', '17', 'Opera'),
    viewed('mo', '17', 'Opera'),
  ]);
  const query = {
    series: [{ ...VIEWED, math: 'dau' }],
    breakdownFilter: { breakdown: '$browser', breakdown_limit: 1 },
    ...GROWING,
  };
  const { results } = await askTrend(app, query);
  expect(results.map(({ breakdown_value: value, data }) => [value, data])).toEqual([
    ['Chrome', [0, 3, 3, 3, 3, 3, 3, 3]],
    [OTHER_VALUE, [0, 0, 1, 1, 3, 3, 3, 3]],
  ]);
});
