import fc from 'fast-check';
import { expect, test } from 'vitest';
import { askHogql, testHogqlContext } from '../../../test/support/ask-hogql.ts';
import { parseHogql } from '../../../test/support/parse-hogql.ts';
import { sendEvents } from '../../../test/support/send-events.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { compileHogql } from '../compile.ts';

const MINUTE = 60_000;
const T0 = Date.UTC(2026, 10, 1);

/** An event: its session, and the minute in which it happened. */
interface Seen {
  readonly session: string;
  readonly minute: number;
}

const isoAt = (minute: number): string => new Date(T0 + minute * MINUTE).toISOString();
/** A moment as HogQL writes it. */
const moment = (minute: number): string => `toDateTime('${isoAt(minute).slice(0, 19).replace('T', ' ')}')`;

const events = fc.array(
  fc.record({
    session: fc.constantFrom('', 's1', 's2', 's3', 's4', 's5'),
    minute: fc.integer({ min: 0, max: 300 }),
  }),
  { minLength: 1, maxLength: 40 },
);

/** Sessions as plain TypeScript finds them: name, first and last minute, number of events. */
function sessionsOf(seen: readonly Seen[]): { name: string; start: number; end: number; count: number }[] {
  const names = [...new Set(seen.map(({ session }) => session))].filter((name) => name !== '').toSorted();
  return names.map((name) => {
    const minutes = seen.filter(({ session }) => session === name).map(({ minute }) => minute);
    return { name, start: Math.min(...minutes), end: Math.max(...minutes), count: minutes.length };
  });
}

test('sessions of a time range are complete, for a range on any of their times', async () => {
  const app = await openTestApp();
  let runs = 0;
  await fc.assert(
    fc.asyncProperty(events, fc.integer({ min: 0, max: 300 }), fc.nat(120), async (drawn, from, length) => {
      // Events of all runs stand beside each other, under names of their own.
      const run = `run ${++runs}`;
      const seen = drawn.map(({ session, minute }) => ({
        session: session === '' ? '' : `${run} ${session}`,
        minute,
      }));
      await sendEvents(
        app,
        seen.map(({ session, minute }) => ({
          event: run,
          timestamp: isoAt(minute),
          properties: session === '' ? {} : { $session_id: session },
        })),
      );
      const to = from + length;
      const ask = async (text: string) => (await askHogql(app, text)).results;
      const all = sessionsOf(seen);
      const columns = 'session_id, $session_duration, $event_count';
      const shown = (fits: (session: (typeof all)[number]) => boolean) =>
        all.filter(fits).map(({ name, start, end, count }) => [name, (end - start) * 60, count]);
      const listed = (where: string) =>
        ask(
          `select ${columns} from sessions where session_id like '${run} %' and ${where} order by session_id`,
        );
      expect(await listed(`$start_timestamp >= ${moment(from)}`)).toEqual(
        shown(({ start }) => start >= from),
      );
      expect(
        await listed(`$start_timestamp >= ${moment(from)} and $start_timestamp < ${moment(to)}`),
      ).toEqual(shown(({ start }) => start >= from && start < to));
      expect(await listed(`$end_timestamp between ${moment(from)} and ${moment(to)}`)).toEqual(
        shown(({ end }) => end >= from && end <= to),
      );
      expect(await listed(`${moment(from)} < $end_timestamp and $start_timestamp >= ${moment(0)}`)).toEqual(
        shown(({ end }) => end > from),
      );
      const lengths = new Map(all.map(({ name, start, end }) => [name, (end - start) * 60]));
      const inRange = seen.filter(({ minute }) => minute >= from && minute <= to);
      expect(
        await ask(
          `select count(), sum(session.$session_duration), uniq(session.session_id) from events
           where timestamp >= ${moment(from)} and timestamp <= ${moment(to)} and event = '${run}'`,
        ),
      ).toEqual([
        [
          inRange.length,
          inRange.some(({ session }) => session !== '')
            ? inRange.reduce((sum, { session }) => sum + (lengths.get(session) ?? 0), 0)
            : null,
          new Set(inRange.map(({ session }) => session).filter((name) => name !== '')).size,
        ],
      ]);
    }),
    { numRuns: 8 },
  );
}, 180_000);

test('a lower bound of the range limits the rows that are read', async () => {
  const sqlOf = async (text: string) => compileHogql(await parseHogql(text), testHogqlContext()).sql;
  const narrowed = [
    `select count() from sessions where $start_timestamp >= now() - interval 7 day`,
    `select count() from sessions where '2026-11-01' <= $end_timestamp and duration > 3`,
    `select session.duration from events where event = 'a' and timestamp between '2026-11-01' and '2026-11-02'`,
    `select count() from events where timestamp > '2026-11-01' and session.duration > 10`,
  ];
  for (const text of narrowed) expect(await sqlOf(text), text).toContain(`IN (SELECT s."$session_id"`);
  const whole = [
    'select count() from sessions',
    `select count() from sessions where $start_timestamp < '2026-11-01'`,
    `select count() from sessions where $start_timestamp > '2026-11-01' or duration > 3`,
    `select count() from sessions where not $start_timestamp < '2026-11-01'`,
    `select count() from sessions where $start_timestamp > $end_timestamp`,
    `select session.duration from events where toDate(timestamp) > '2026-11-01'`,
    `select session.duration, toDateTime('2026-11-05') as timestamp from events where timestamp > '2026-11-01'`,
    `select count() from events e left join sessions s on s.session_id = e.$session_id where e.timestamp > '2026-11-01'`,
  ];
  for (const text of whole) expect(await sqlOf(text), text).not.toContain(`IN (SELECT s."$session_id"`);
});
