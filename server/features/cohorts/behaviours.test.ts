import { describe, expect, test } from 'vitest';
import { createCohort, did, membersBy, postCohort, ruleOf } from '../../../test/support/app-cohorts.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp, type TestApp } from '../../../test/support/test-app.ts';

const DAY_MS = 86_400_000;

/** Opens an app in which each person did the events of its line, so many days before now. */
async function openWith(days: Record<string, Record<string, number[]>>): Promise<TestApp> {
  const app = await openTestApp();
  const at = (ago: number): string => new Date(app.clock.now - ago * DAY_MS).toISOString();
  const events = Object.entries(days).flatMap(([id, byName]) => [
    { distinct_id: id, $set: { is: id }, timestamp: at(400), event: 'born' },
    ...Object.entries(byName).flatMap(([event, agos]) =>
      agos.map((ago) => ({ distinct_id: id, event, timestamp: at(ago) })),
    ),
  ]);
  await sendEvents(app, events);
  return app;
}

const within = (count: number, interval = 'day') => ({ time_value: count, time_interval: interval });
const lately = (count: number, interval = 'day') => ({ seq_time_value: count, seq_time_interval: interval });

describe('M9.2 cohorts by behavior', () => {
  test('did it within a time range, or did not', async () => {
    const app = await openWith({ new: { pay: [1] }, old: { pay: [40] }, never: {} });
    expect(await membersBy(app, did('pay', 'performed_event', within(30)))).toEqual(['new']);
    expect(await membersBy(app, did('pay', 'performed_event', within(2, 'month')))).toEqual(['new', 'old']);
    expect(await membersBy(app, did('pay', 'performed_event', { ...within(30), negation: true }))).toEqual([
      'never',
      'old',
    ]);
    expect(await membersBy(app, did('pay'))).toEqual(['new', 'old']);
    const since = { explicit_datetime: '2026-10-01', explicit_datetime_to: '-2d' };
    expect(await membersBy(app, did('pay', 'performed_event', since))).toEqual(['old']);
  });

  test('A-9 did it since a day of the time zone of the project', async () => {
    const app = await openTestApp();
    await app.ask('/api/projects/1/', { method: 'PATCH', body: { timezone: 'America/New_York' } });
    await sendEvents(app, [
      { distinct_id: 'late', event: 'pay', $set: { is: 'late' }, timestamp: '2026-10-01T03:59:59Z' },
      { distinct_id: 'early', event: 'pay', $set: { is: 'early' }, timestamp: '2026-10-01T04:00:01Z' },
    ]);
    const since = (explicit_datetime: string) =>
      membersBy(app, did('pay', 'performed_event', { explicit_datetime }));
    expect(await since('2026-10-01')).toEqual(['early']);
    expect(await since('2026-10-01 00:00')).toEqual(['early']);
    expect(await since('2026-10-01T00:00:00Z')).toEqual(['early', 'late']);
    const until = { explicit_datetime_to: '2026-10-01T00:00:00' };
    expect(await membersBy(app, did('pay', 'performed_event', until))).toEqual(['late']);
  });

  test('did it this many times', async () => {
    const app = await openWith({ once: { pay: [1] }, thrice: { pay: [1, 2, 3] }, never: {} });
    const times = (operator: string, operator_value: number) =>
      membersBy(app, did('pay', 'performed_event_multiple', { ...within(7), operator, operator_value }));
    expect(await times('gte', 2)).toEqual(['thrice']);
    expect(await times('lte', 2)).toEqual(['once']);
    expect(await times('eq', 3)).toEqual(['thrice']);
    expect(await times('exact', 1)).toEqual(['once']);
    expect(await times('gt', 3)).toEqual([]);
    expect(await times('lt', 4)).toEqual(['once', 'thrice']);
  });

  test('did it for the first time within a time range', async () => {
    const app = await openWith({ new: { pay: [1, 2] }, again: { pay: [1, 90] } });
    expect(await membersBy(app, did('pay', 'performed_event_first_time', within(30)))).toEqual(['new']);
  });

  test('stopped doing it, or started again', async () => {
    const app = await openWith({
      stopped: { pay: [20] },
      goesOn: { pay: [2, 20] },
      back: { pay: [2, 60] },
      new: { pay: [2] },
    });
    const spans = { ...within(30), ...lately(7) };
    expect(await membersBy(app, did('pay', 'stopped_performing_event', spans))).toEqual(['stopped']);
    expect(await membersBy(app, did('pay', 'restarted_performing_event', spans))).toEqual(['back']);
  });

  test('did it in this many of the last periods', async () => {
    const app = await openWith({
      weekly: { pay: [1, 8, 15] },
      twiceAWeek: { pay: [1, 2, 8, 9] },
      once: { pay: [1] },
    });
    const regularly = (operator_value: number, min_periods: number, interval = 'week') =>
      membersBy(
        app,
        did('pay', 'performed_event_regularly', {
          ...within(1, interval),
          operator: 'gte',
          operator_value,
          min_periods,
          total_periods: 4,
        }),
      );
    expect(await regularly(1, 3)).toEqual(['weekly']);
    expect(await regularly(2, 2)).toEqual(['twiceAWeek']);
    expect(await regularly(1, 1, 'month')).toEqual(['once', 'twiceAWeek', 'weekly']);
  });

  test('did one event and then another within a span', async () => {
    const app = await openWith({
      soon: { ask: [3], pay: [2] },
      late: { ask: [9], pay: [2] },
      reverse: { ask: [2], pay: [3] },
      latest: { ask: [20, 3], pay: [2] },
    });
    const sequence = { ...within(30), ...lately(2), seq_event: 'pay', seq_event_type: 'events' };
    expect(await membersBy(app, did('ask', 'performed_event_sequence', sequence))).toEqual([
      'latest',
      'soon',
    ]);
  });

  test('by events with certain properties, and by actions', async () => {
    const app = await openTestApp();
    await sendEvents(app, [
      { distinct_id: 'big', event: 'pay', properties: { amount: 90 }, $set: {} },
      { distinct_id: 'small', event: 'pay', properties: { amount: 9 }, $set: {} },
    ]);
    const event_filters = [{ type: 'event', key: 'amount', operator: 'gt', value: 50 }];
    expect(await membersBy(app, did('pay', 'performed_event', { event_filters }))).toEqual(['big']);
    const { json: action } = await app.ask('/api/projects/1/actions/', {
      method: 'POST',
      body: { name: 'Paid much', steps: [{ event: 'pay', properties: event_filters }] },
    });
    const byAction = { type: 'behavioral', key: action.id, event_type: 'actions', value: 'performed_event' };
    expect(await membersBy(app, byAction)).toEqual(['big']);
    expect(await membersBy(app, { ...byAction, key: 99 })).toEqual([]);
  });

  test('counts events of persons that were merged', async () => {
    const app = await openWith({ lin: { pay: [1] }, anon: { pay: [2] } });
    const rule = did('pay', 'performed_event_multiple', { ...within(7), operator: 'gte', operator_value: 2 });
    const { id } = await createCohort(app, ruleOf(rule));
    const count = async () => (await app.ask(`/api/projects/1/cohorts/${id}/`)).json.count;
    expect(await count()).toBe(0);
    await sendEvents(app, [
      { event: '$identify', distinct_id: 'lin', properties: { $anon_distinct_id: 'anon' } },
    ]);
    expect(await count()).toBe(1);
  });
});

describe('M9.2 invalid behavioral conditions', () => {
  test.each([
    [{ value: 'performed_magic' }, 'invalid_choice', 'value'],
    [{ key: '' }, 'blank', 'key'],
    [{ event_type: 'pages' }, 'invalid_choice', 'event_type'],
    [{ time_value: 0 }, 'invalid_input', 'time_value'],
    [{ time_value: 1e9 }, 'invalid_input', 'time_value'],
    [{ time_interval: 'decade' }, 'invalid_choice', 'time_interval'],
    [{ explicit_datetime: 'soon' }, 'invalid_input', 'explicit_datetime'],
    [{ value: 'performed_event_multiple' }, 'required', 'operator_value'],
    [{ value: 'stopped_performing_event', time_value: 7 }, 'required', 'seq_time_value'],
    [
      { value: 'restarted_performing_event', ...within(7), ...lately(1, 'week') },
      'invalid_input',
      'seq_time_value',
    ],
    [
      {
        value: 'performed_event_regularly',
        ...within(1),
        operator_value: 1,
        min_periods: 5,
        total_periods: 4,
      },
      'invalid_input',
      'min_periods',
    ],
    [{ value: 'performed_event_sequence', seq_time_value: 1 }, 'required', 'seq_event'],
    [{ key: 'pay', event_type: 'actions' }, 'invalid_input', 'key'],
    [{ event_filters: [{ key: 'a', operator: 'regex', value: '(' }] }, 'invalid_input', 'event_filters'],
  ])('%j is refused', async (wrong, code, attr) => {
    const app = await openTestApp();
    const answer = await postCohort(app, {
      name: 'A',
      ...ruleOf({ ...did('pay'), ...wrong }),
    });
    expect([answer.status, answer.json.code, answer.json.attr]).toEqual([
      400,
      code,
      `filters__properties__values__0__${attr}`,
    ]);
  });
});
