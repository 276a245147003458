import { describe, expect, test } from 'vitest';
import { settle } from '../../../test/support/app-events.ts';
import { sendEvents, type SentEvent } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const PROJECT = '/api/projects/1';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0';
const PAGE = { kind: 'EventsNode', event: '$pageview' };
const TRENDS = {
  kind: 'TrendsQuery',
  dateRange: { date_from: '2026-11-01', date_to: '2026-11-30' },
  series: [PAGE],
};

function page(sender: string, agent: string | null, properties: object): SentEvent {
  return {
    event: '$pageview',
    distinct_id: sender,
    timestamp: '2026-11-05T10:00:00Z',
    properties: {
      $session_id: `session of ${sender}`,
      $current_url: 'https://shop.test/',
      ...(agent === null ? {} : { $raw_user_agent: agent }),
      ...properties,
    },
  };
}

/** A crawler, a script without a user agent, and two people: one from an advertisement, one from a search. */
async function openVisited(): Promise<TestApp> {
  const app = await openTestApp();
  await sendEvents(app, [
    page('crawler', 'Mozilla/5.0 (compatible; GPTBot/1.2)', { $referring_domain: '$direct' }),
    page('script', null, {}),
    page('buyer', FIREFOX, { $referring_domain: 'www.google.com', gclid: 'x' }),
    page('reader', FIREFOX, { $referring_domain: 'duckduckgo.com' }),
    { ...page('reader', FIREFOX, { $referring_domain: 'shop.test' }), timestamp: '2026-11-05T10:01:00Z' },
  ]);
  await settle(app);
  return app;
}

async function query(app: TestApp, body: object) {
  const { status, json, text } = await app.ask(`${PROJECT}/query/`, {
    method: 'POST',
    body: { query: body },
  });
  expect(status, text).toBe(200);
  return json;
}

async function countsOf(app: TestApp, body: object): Promise<Record<string, number>> {
  const { results } = await query(app, { ...TRENDS, ...body });
  return Object.fromEntries(
    results.map((row: { breakdown_value: unknown; count: number }) => [
      [row.breakdown_value].flat().join(', '),
      row.count,
    ]),
  );
}

const filtered = (key: string, type: string, value: unknown, operator = 'exact') => ({
  properties: [{ key, type, value, operator }],
});

describe('virtual properties', () => {
  test('break trends down: who visits, where persons came from first, and the channel of sessions', async () => {
    const app = await openVisited();
    const by = (property: string, type: string) =>
      countsOf(app, { breakdownFilter: { breakdowns: [{ property, type }] } });
    expect(await by('$virt_is_bot', 'event')).toEqual({ true: 2, false: 3 });
    expect(await by('$virt_traffic_type', 'event')).toEqual({ 'AI Agent': 1, Automation: 1, Regular: 3 });
    expect(await by('$virt_traffic_category', 'event')).toEqual({
      ai_crawler: 1,
      no_user_agent: 1,
      regular: 3,
    });
    expect(await by('$virt_bot_operator', 'event')).toEqual({
      OpenAI: 1,
      $$_posthog_breakdown_null_$$: 4,
    });
    expect(await by('$virt_initial_channel_type', 'person')).toEqual({
      Direct: 1,
      Unknown: 1,
      'Paid Search': 1,
      'Organic Search': 2,
    });
    expect(await by('$virt_initial_referring_domain_type', 'person')).toEqual({
      $direct: 1,
      Search: 3,
      $$_posthog_breakdown_null_$$: 1,
    });
    expect(await by('$channel_type', 'session')).toEqual({
      Direct: 1,
      Unknown: 1,
      'Paid Search': 1,
      'Organic Search': 2,
    });
  });

  test('filter insights, with every kind of operator', async () => {
    const app = await openVisited();
    const count = async (filter: object) => (await query(app, { ...TRENDS, ...filter })).results[0].count;
    expect(await count(filtered('$virt_is_bot', 'event', ['false']))).toBe(3);
    expect(await count(filtered('$virt_is_bot', 'event', true))).toBe(2);
    expect(await count(filtered('$virt_bot_name', 'event', 'gpt', 'icontains'))).toBe(1);
    expect(await count(filtered('$virt_traffic_type', 'event', ['Bot', 'AI Agent'], 'is_not'))).toBe(4);
    expect(await count(filtered('$virt_initial_channel_type', 'person', '^(Paid|Organic) ', 'regex'))).toBe(
      3,
    );
    expect(await count(filtered('$virt_initial_referring_domain_type', 'person', '', 'is_not_set'))).toBe(1);
    expect(await count(filtered('$virt_revenue', 'person', '', 'is_set'))).toBe(0);
    expect(await count(filtered('$channel_type', 'session', ['Paid Search']))).toBe(1);
    expect(await count(filtered('$entry_has_gclid', 'session', ['true']))).toBe(1);
    expect(await count(filtered('$virt_is_human', 'event', 'true')).catch(() => 'refused')).toBe('refused');
  });

  test('are columns and properties of HogQL, in every table that has them', async () => {
    const app = await openVisited();
    const rows = async (text: string) => (await query(app, { kind: 'HogQLQuery', query: text })).results;
    expect(
      await rows(
        `select distinct properties.$virt_bot_name, $virt_bot_name, events.properties['$virt_bot_name'], $virt_is_bot
         from events where $virt_is_bot and properties.$virt_traffic_type = 'AI Agent'`,
      ),
    ).toEqual([['GPTBot', 'GPTBot', 'GPTBot', true]]);
    expect(
      await rows(
        `select person.$virt_initial_channel_type, poe.properties.$virt_initial_channel_type, count()
         from events where distinct_id = 'reader' group by 1, 2`,
      ),
    ).toEqual([['Organic Search', 'Organic Search', 2]]);
    expect(
      await rows(
        `select $virt_initial_channel_type as channel, count(), any($virt_mrr), any(properties.$virt_revenue)
         from persons group by channel order by channel`,
      ),
    ).toEqual([
      ['Direct', 1, null, null],
      ['Organic Search', 1, null, null],
      ['Paid Search', 1, null, null],
      ['Unknown', 1, null, null],
    ]);
    expect(
      await rows(`select e.$virt_is_bot, p.$virt_initial_channel_type from events e
        join persons p on p.id = e.person_id where e.distinct_id = 'buyer'`),
    ).toEqual([[false, 'Paid Search']]);
    const refused = await app.ask(`${PROJECT}/query/`, {
      method: 'POST',
      body: { query: { kind: 'HogQLQuery', query: 'select properties.$virt_is_bt from events' } },
    });
    expect([refused.status, refused.json.detail]).toEqual([
      400,
      expect.stringContaining('Did you mean "$virt_is_bot"?'),
    ]);
  });

  test('are columns, filters and breakdowns of other queries', async () => {
    const app = await openVisited();
    const events = await query(app, {
      kind: 'EventsQuery',
      select: ['distinct_id', 'properties.$virt_bot_name', 'person.properties.$virt_initial_channel_type'],
      ...filtered('$virt_is_bot', 'event', ['true']),
      orderBy: ['distinct_id'],
      after: '2026-11-01',
    });
    expect(events.results).toEqual([
      ['crawler', 'GPTBot', 'Direct'],
      ['script', '', 'Unknown'],
    ]);
    const actors = await query(app, {
      kind: 'ActorsQuery',
      select: ['properties.$virt_initial_channel_type'],
      ...filtered('$virt_initial_channel_type', 'person', ['Paid Search', 'Direct']),
      orderBy: ['properties.$virt_initial_channel_type'],
    });
    expect(actors.results.map(([channel]: [string]) => channel)).toEqual(['Direct', 'Paid Search']);
    const funnel = await query(app, {
      kind: 'FunnelsQuery',
      dateRange: TRENDS.dateRange,
      series: [PAGE, PAGE],
      breakdownFilter: { breakdown: '$virt_initial_channel_type', breakdown_type: 'person' },
      ...filtered('$virt_is_bot', 'event', ['false']),
    });
    expect(
      funnel.results.map((steps: { breakdown_value: string[]; count: number }[]) => [
        steps[0]!.breakdown_value,
        steps.map(({ count }) => count),
      ]),
    ).toEqual([
      [['Organic Search'], [1, 1]],
      [['Paid Search'], [1, 0]],
    ]);
  });

  test('filter the lists of persons and of events, and make cohorts', async () => {
    const app = await openVisited();
    const list = async (path: string, filter: { properties: object[] }) => {
      const search = new URLSearchParams({ properties: JSON.stringify(filter.properties) });
      const { status, json, text } = await app.ask(`${PROJECT}/${path}/?${search}`);
      expect(status, text).toBe(200);
      return json.results;
    };
    const paid = filtered('$virt_initial_channel_type', 'person', ['Paid Search']);
    const [buyer, ...others] = await list('persons', paid);
    expect([buyer.distinct_ids, others]).toEqual([['buyer'], []]);
    expect((await list('events', paid)).map((one: { distinct_id: string }) => one.distinct_id)).toEqual([
      'buyer',
    ]);
    const bots = await list('events', filtered('$virt_is_bot', 'event', ['true']));
    expect(new Set(bots.map((one: { distinct_id: string }) => one.distinct_id))).toEqual(
      new Set(['crawler', 'script']),
    );

    const values = [
      { type: 'person', key: '$virt_initial_channel_type', operator: 'exact', value: ['Paid Search'] },
    ];
    const made = await app.ask(`${PROJECT}/cohorts/`, {
      method: 'POST',
      body: {
        name: 'Bought in',
        filters: { properties: { type: 'AND', values: [{ type: 'AND', values }] } },
      },
    });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    const { id } = made.json;
    const members = await app.ask(`${PROJECT}/cohorts/${id}/persons/`);
    expect(members.json.results.map((one: { distinct_ids: string[] }) => one.distinct_ids)).toEqual([
      ['buyer'],
    ]);
    expect(
      (await query(app, { ...TRENDS, properties: [{ type: 'cohort', key: 'id', value: id }] })).results[0]
        .count,
    ).toBe(1);
    await expect.poll(async () => (await app.ask(`${PROJECT}/cohorts/${id}/`)).json.count).toBe(1);
    const unknown = await app.ask(`${PROJECT}/cohorts/${id}/`, {
      method: 'PATCH',
      body: {
        filters: {
          properties: { type: 'AND', values: [{ type: 'AND', values: [{ ...values[0], key: '$virt_x' }] }] },
        },
      },
    });
    expect([unknown.status, unknown.json.attr]).toEqual([
      400,
      'filters__properties__values__0__values__0__key',
    ]);
    const flag = (property: object) =>
      app.ask(`${PROJECT}/feature_flags/`, {
        method: 'POST',
        body: {
          key: 'f',
          name: '',
          filters: { groups: [{ properties: [property], rollout_percentage: 100 }] },
        },
      });
    const byCohort = await flag({ type: 'cohort', key: 'id', value: id });
    expect([byCohort.status, byCohort.json.detail]).toEqual([
      400,
      expect.stringContaining('virtual properties'),
    ]);
    const byProperty = await flag(values[0]!);
    expect([byProperty.status, byProperty.json.detail]).toEqual([
      400,
      `'$virt_initial_channel_type' is computed by queries alone: flags cannot be targeted by it.`,
    ]);
  });
});
