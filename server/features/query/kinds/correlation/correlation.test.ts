import { describe, expect, test } from 'vitest';
import { sendEvents, type SentEvent } from '../../../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../../../test/support/test-app.ts';

const AT = (minute: number): string => new Date(Date.UTC(2026, 10, 18, 10, minute)).toISOString();
const FUNNEL = {
  kind: 'FunnelsQuery',
  dateRange: { date_from: '2026-11-18', date_to: '2026-11-18' },
  series: [
    { kind: 'EventsNode', event: 'sign up' },
    { kind: 'EventsNode', event: 'pay' },
  ],
};

const sent = (who: string, event: string, minute: number, properties: object = {}): SentEvent => ({
  event,
  distinct_id: who,
  timestamp: AT(minute),
  properties,
});

/** Ten persons convert, ten do not; of each ten every second one does something in between. */
const TWENTY = Array.from({ length: 20 }, (_, at) => {
  const who = `u${String(at).padStart(2, '0')}`;
  const isPaying = at < 10;
  const isSecond = at % 2 === 0;
  return [
    sent(who, 'sign up', 0, { $set: { browser: isPaying ? 'Positive' : 'Negative' } }),
    ...(isSecond ? [sent(who, isPaying ? 'read' : 'close', 1, { plan: isPaying ? 'pro' : 'free' })] : []),
    ...(isPaying ? [sent(who, 'pay', 2)] : []),
    // Not between the steps, or outside the window.
    sent(who, 'later', 3),
  ];
}).flat();

async function ask(app: TestApp, more: object, funnel: object = {}) {
  const source = { kind: 'FunnelsActorsQuery', funnelStep: 1, source: { ...FUNNEL, ...funnel } };
  const query = { kind: 'FunnelCorrelationQuery', source, funnelCorrelationType: 'events', ...more };
  return await app.ask('/api/projects/1/query/', { method: 'POST', body: { query } });
}

const shown = ({ json }: Awaited<ReturnType<typeof ask>>) =>
  json.results.events.map(
    (one: { event: { event: string }; success_count: number; failure_count: number; odds_ratio: number }) => [
      one.event.event,
      one.success_count,
      one.failure_count,
      Math.round(one.odds_ratio * 1_000) / 1_000,
    ],
  );

describe('M9.9.2/FunnelCorrelationQuery a correlation', () => {
  test('has the odds of conversion with an event over those without', async () => {
    const app = await openTestApp();
    await sendEvents(
      app,
      TWENTY.filter(({ event, distinct_id: who }) => event !== 'later' || who! < 'u10'),
    );
    const answer = await ask(app, {});
    expect(answer.status).toBe(200);
    expect(shown(answer)).toEqual([
      ['read', 5, 0, 11],
      ['close', 0, 5, 0.091],
    ]);
    expect(answer.json.results.skewed).toBe(false);
    expect(answer.json.results.events[0]).toMatchObject({
      event: { event: 'read', properties: {}, elements: [] },
      correlation_type: 'success',
    });
    expect(shown(await ask(app, { funnelCorrelationExcludeEventNames: ['read'] }))).toEqual([
      ['close', 0, 5, 0.091],
    ]);
    // Those of an expression are correlated too, but have no properties of their own.
    const byExpression = { funnelsFilter: { funnelAggregateByHogQL: 'distinct_id' } };
    expect(shown(await ask(app, {}, byExpression))).toEqual([
      ['read', 5, 0, 11],
      ['close', 0, 5, 0.091],
    ]);
    const ofProperties = { funnelCorrelationType: 'properties', funnelCorrelationNames: ['browser'] };
    expect(shown(await ask(app, ofProperties, byExpression))).toEqual([]);
    // Those who did not pay are followed to the end of the window.
    await sendEvents(app, [sent('u11', 'much later', 30)]);
    expect(shown(await ask(app, {})).map(([name]: [string]) => name)).toContain('much later');
    const short = { funnelsFilter: { funnelWindowInterval: 10, funnelWindowIntervalUnit: 'minute' } };
    expect(shown(await ask(app, {}, short)).map(([name]: [string]) => name)).not.toContain('much later');
  });

  test('compares properties of persons, all of them or some, and of events', async () => {
    const app = await openTestApp();
    await sendEvents(app, TWENTY);
    const ofPersons = { funnelCorrelationType: 'properties' };
    const both = [
      ['browser::Positive', 10, 0, 121],
      ['browser::Negative', 0, 10, 0.008],
    ];
    expect(shown(await ask(app, { ...ofPersons, funnelCorrelationNames: ['browser'] }))).toEqual(both);
    expect(shown(await ask(app, { ...ofPersons, funnelCorrelationNames: ['$all'] }))).toEqual(
      expect.arrayContaining(both),
    );
    const without = { funnelCorrelationNames: ['$all'], funnelCorrelationExcludeNames: ['browser'] };
    expect(shown(await ask(app, { ...ofPersons, ...without })).flat()).not.toContain('browser::Positive');
    const ofEvents = {
      funnelCorrelationType: 'event_with_properties',
      funnelCorrelationEventNames: ['read', 'close'],
      funnelCorrelationEventExcludePropertyNames: ['$ip'],
    };
    expect(shown(await ask(app, ofEvents))).toEqual([
      ['read::plan::pro', 5, 0, 11],
      ['close::plan::free', 0, 5, 0.091],
    ]);
    const none = { ...ofEvents, funnelCorrelationEventExcludePropertyNames: ['$ip', 'plan'] };
    expect(shown(await ask(app, none))).toEqual([]);
  });

  test('names what a question lacks, and says when a funnel converts too few or too many', async () => {
    const app = await openTestApp();
    await sendEvents(app, [...TWENTY.slice(0, 4), sent('zoe', 'sign up', 0)]);
    for (const [query, detail] of [
      [{ funnelCorrelationType: 'properties' }, 'funnelCorrelationNames'],
      [{ funnelCorrelationType: 'event_with_properties' }, 'funnelCorrelationEventNames'],
      [{ source: FUNNEL }, 'FunnelsActorsQuery'],
    ] as const) {
      const { status, json } = await ask(app, query);
      expect([status, json.code]).toEqual([400, 'invalid_input']);
      expect(json.detail).toContain(detail);
    }
    const { json } = await ask(
      app,
      {},
      { series: [FUNNEL.series[0], { kind: 'EventsNode', event: 'nothing' }] },
    );
    expect(json.results).toEqual({ events: [], skewed: true });
  });

  test('lists the persons of an event or of values, who converted or did not', async () => {
    const app = await openTestApp();
    await sendEvents(app, TWENTY);
    const persons = async (correlation: object, point: object): Promise<string[]> => {
      const funnel = { kind: 'FunnelsActorsQuery', funnelStep: 1, source: FUNNEL };
      const source = {
        kind: 'FunnelCorrelationActorsQuery',
        source: { kind: 'FunnelCorrelationQuery', source: funnel, ...correlation },
        ...point,
      };
      const { status, json } = await app.ask('/api/projects/1/query/', {
        method: 'POST',
        body: { query: { kind: 'ActorsQuery', source, select: ['actor'] } },
      });
      expect(status, JSON.stringify(json)).toBe(200);
      return json.results.map(([actor]: [{ distinct_ids: string[] }]) => actor.distinct_ids[0]!).sort();
    };
    const events = { funnelCorrelationType: 'events' };
    const read = { funnelCorrelationPersonEntity: { kind: 'EventsNode', event: 'read' } };
    expect(await persons(events, { ...read, funnelCorrelationPersonConverted: true })).toEqual([
      'u00',
      'u02',
      'u04',
      'u06',
      'u08',
    ]);
    expect(await persons(events, { ...read, funnelCorrelationPersonConverted: false })).toEqual([]);
    const properties = { funnelCorrelationType: 'properties', funnelCorrelationNames: ['browser'] };
    const negative = {
      funnelCorrelationPropertyValues: [
        { key: 'browser', value: 'Negative', type: 'person', operator: 'exact' },
      ],
    };
    expect(await persons(properties, negative)).toHaveLength(10);
    expect(await persons(properties, { ...negative, funnelCorrelationPersonConverted: true })).toEqual([]);
  });
});
