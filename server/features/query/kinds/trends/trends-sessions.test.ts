import { expect, test } from 'vitest';
import { sendEvents } from '../../../../../test/support/send-events.ts';
import { askTrend, different, openModelApp } from '../../../../../test/support/trends-model.ts';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

test('M9.9 the math of a property of sessions counts each session once in an interval, in a breakdown too', async () => {
  const app = await openModelApp([]);
  // Three seconds, a half and two hours, and one event alone; a session is as long as all of its events say.
  const sent: [session: string, at: string, browser: string][] = [
    ['a', '2026-11-19T10:00:00Z', 'Firefox'],
    ['a', '2026-11-19T10:00:01Z', 'Firefox'],
    ['a', '2026-11-19T10:00:03Z', 'Safari'],
    ['b', '2026-11-19T23:30:00Z', 'Firefox'],
    ['b', '2026-11-20T01:30:00Z', 'Firefox'],
    ['c', '2026-11-20T02:00:00Z', 'Safari'],
    ['c', '2026-11-20T02:00:00.500Z', 'Safari'],
    ['', '2026-11-20T03:00:00Z', 'Safari'],
  ];
  await sendEvents(
    app,
    sent.map(([session, timestamp, browser]) => ({
      event: 'seen',
      timestamp,
      properties: { $browser: browser, ...(session !== '' && { $session_id: session }) },
    })),
  );
  const seconds: Record<string, number> = { a: 3, b: 7_200, c: 0 };
  const days = ['2026-11-19', '2026-11-20'];
  const durations = (day: string, browser?: string): number[] =>
    different(
      sent
        .filter(([session, at, of]) => session !== '' && at.startsWith(day) && of === (browser ?? of))
        .map(([session]) => session),
    ).map((session) => seconds[session]!);
  const of = (math: string, list: readonly number[]): number =>
    ({ sum: sum(list), avg: sum(list) / list.length, min: Math.min(...list), max: Math.max(...list) })[math]!;
  for (const math of ['sum', 'avg', 'min', 'max']) {
    for (const type of [undefined, 'session_properties']) {
      const series = [
        {
          kind: 'EventsNode',
          event: 'seen',
          math,
          math_property: '$session_duration',
          math_property_type: type,
        },
      ];
      const dateRange = { date_from: '2026-11-19' };
      const plain = await askTrend(app, { series, dateRange });
      expect(plain.results[0]!.data, math).toEqual(days.map((day) => of(math, durations(day))));
      const broken = await askTrend(app, { series, dateRange, breakdownFilter: { breakdown: '$browser' } });
      const byBrowser = Object.fromEntries(
        broken.results.map(({ breakdown_value: browser, data }) => [String(browser), data]),
      );
      const expectedOf = (browser: string) => days.map((day) => of(math, durations(day, browser)));
      expect(byBrowser, math).toEqual({ Firefox: expectedOf('Firefox'), Safari: expectedOf('Safari') });
    }
    const whole = await askTrend(app, {
      series: [{ kind: 'EventsNode', event: 'seen', math, math_property: '$session_duration' }],
      trendsFilter: { display: 'BoldNumber' },
    });
    expect(whole.results[0]!.aggregated_value, math).toBe(of(math, [3, 7_200, 0]));
  }
});
