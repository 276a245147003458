/** What happened today until now, beside the same hours a week ago: the queries and the reading of their answers. */

/** A number of today, what it was a week ago by the same time, and both by the hour. */
export interface TodayNumber {
  id: 'events' | 'people' | 'new' | 'sessions';
  name: string;
  now: number;
  before: number;
  /** By hours of today that have begun; empty where the hours are not queried. */
  hours: number[];
}

/** Events by the hour: of today as far as it has come, and of the whole day a week ago. */
export interface TodayCourse {
  today: number[];
  before: number[];
}

/** An event that was usual and has nearly stopped. */
export interface StoppedEvent {
  event: string;
  now: number;
  before: number;
}

export interface Today {
  numbers: TodayNumber[];
  course: TodayCourse;
  stopped: StoppedEvent[];
  /** The hour of the project's clock, 0 to 23. */
  hour: number;
}

const DAY = 'toStartOfDay(now())';
const WEEK_AGO = 'now() - INTERVAL 7 DAY';
const THEN = `toStartOfDay(${WEEK_AGO})`;
const THEN_END = 'toStartOfDay(now() - INTERVAL 6 DAY)';
/** `now()` is the beginning of the running second, whose events count too. */
const IS_NOW = `timestamp >= ${DAY} AND timestamp < now() + INTERVAL 1 SECOND`;
const IS_BEFORE = `timestamp >= ${THEN} AND timestamp <= ${WEEK_AGO}`;

/** Events and people of today and of the day a week ago, by the hour. */
export const HOURS_QUERY = `
SELECT (timestamp >= ${DAY}) AS is_today, toHour(timestamp) AS hour, count() AS events,
  count(DISTINCT person_id) AS people, count(DISTINCT properties.$session_id) AS sessions
FROM events
WHERE (${IS_NOW}) OR (timestamp >= ${THEN} AND timestamp < ${THEN_END})
GROUP BY is_today, hour`;

/** People and sessions cannot be added up over hours. */
export const TOTALS_QUERY = `
SELECT count(DISTINCT if(${IS_NOW}, person_id, NULL)), count(DISTINCT if(${IS_BEFORE}, person_id, NULL)),
  count(DISTINCT if(${IS_NOW}, properties.$session_id, NULL)),
  count(DISTINCT if(${IS_BEFORE}, properties.$session_id, NULL)),
  countIf(${IS_NOW}), countIf(${IS_BEFORE}), toHour(now())
FROM events WHERE (${IS_NOW}) OR (${IS_BEFORE})`;

export const PERSONS_QUERY = `
SELECT countIf(created_at >= ${DAY}), countIf(created_at >= ${THEN} AND created_at <= ${WEEK_AGO})
FROM persons WHERE created_at >= ${THEN}`;

/** So many by this time a week ago make an event usual; a tenth of it is nearly nothing. */
const USUAL = 20;

export const STOPPED_QUERY = `
SELECT event, countIf(${IS_NOW}) AS count_now, countIf(${IS_BEFORE}) AS count_before
FROM events WHERE (${IS_NOW}) OR (${IS_BEFORE})
GROUP BY event HAVING count_before >= ${USUAL} AND count_now * 10 <= count_before
ORDER BY count_before DESC LIMIT 3`;

type Row = readonly unknown[];
const HOURS_OF_DAY = 24;

/** The answers of the four queries as one picture. */
export function todayOf(answers: {
  hours: readonly Row[];
  totals: Row;
  persons: Row;
  stopped: readonly Row[];
}): Today {
  const totals = answers.totals.map(Number);
  const [people = 0, peopleBefore = 0, sessions = 0, sessionsBefore = 0] = totals;
  const [events = 0, eventsBefore = 0, hour = 0] = totals.slice(4);
  const [made = 0, madeBefore = 0] = answers.persons.map(Number);
  /** One measure of one of the two days, by the hour. */
  const course = (isToday: boolean, column: number): number[] => {
    const values = Array.from({ length: isToday ? hour + 1 : HOURS_OF_DAY }, () => 0);
    for (const row of answers.hours)
      if (Boolean(row[0]) === isToday && Number(row[1]) < values.length)
        values[Number(row[1])] = Number(row[column]);
    return values;
  };
  const hasSessions = sessions + sessionsBefore > 0;
  return {
    hour,
    course: { today: course(true, 2), before: course(false, 2) },
    stopped: answers.stopped.map(([event, now, before]) => ({
      event: String(event),
      now: Number(now),
      before: Number(before),
    })),
    numbers: [
      { id: 'events', name: 'Events', now: events, before: eventsBefore, hours: course(true, 2) },
      { id: 'people', name: 'Active persons', now: people, before: peopleBefore, hours: course(true, 3) },
      { id: 'new', name: 'New persons', now: made, before: madeBefore, hours: [] },
      ...(hasSessions
        ? [
            {
              id: 'sessions' as const,
              name: 'Sessions',
              now: sessions,
              before: sessionsBefore,
              hours: course(true, 4),
            },
          ]
        : []),
    ],
  };
}

/** How today compares, in a few words; a day that differs by less than a fifth is a usual one. */
export function dayLabel({ numbers }: Today): string {
  const [events] = numbers;
  if (!events || events.before === 0) return events?.now ? 'No data from last week to compare with.' : '';
  const share = events.now / events.before;
  if (share > 2) return 'Much more than usual.';
  if (share > 1.2) return 'A busy day.';
  if (share < 0.5) return 'Much less than usual.';
  return share < 0.8 ? 'A quiet day.' : 'A usual day.';
}
