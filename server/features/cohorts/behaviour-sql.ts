import { readIsoDate } from '../../lib/iso-date.ts';
import { parseRelativeTime } from '../../lib/relative-date.contract.ts';
import { timeZone } from '../../lib/time-zone.ts';
import { filterSql, type Bind, type PropertyGroup } from '../property-filters/index.ts';
import type { BehaviourLeaf } from './kinds/cohort-tree.contract.ts';

/** What the printed statement must know beside the leaf. */
export interface BehaviourContext {
  projectId: number;
  /** Unix milliseconds; spans end here. */
  now: number;
  timezone: string;
  bind: Bind;
  /** The events that an action means; null: it is not there, and no person did it. */
  actionFilter(id: number): PropertyGroup | null;
}

const UNITS = { minute: 'M', hour: 'h', day: 'd', week: 'w', month: 'm', year: 'y' } as const;
const STEPS = {
  minute: 'to_minutes',
  hour: 'to_hours',
  day: 'to_days',
  week: 'to_weeks',
  month: 'to_months',
  year: 'to_years',
} as const;
const SIGNS = { gte: '>=', lte: '<=', gt: '>', lt: '<', eq: '=', exact: '=' } as const;

/**
 * SQL for the ids of the persons who did what the leaf says, whatever its negation, by events that follow merges. A span
 * begins after its first moment and ends with now. Who did something no time at all did not do it "at most twice" either:
 * that is what PostHog answers.
 */
export function behaviourSql(leaf: BehaviourLeaf, context: BehaviourContext): string {
  const { now, bind } = context;
  const spanStart = timeBefore(leaf.time_value, leaf.time_interval, now);
  const start = leaf.explicit_datetime === null ? spanStart : timeOf(leaf.explicit_datetime, context);
  const end =
    leaf.explicit_datetime_to === null ? now : Math.min(now, timeOf(leaf.explicit_datetime_to, context));
  const later = timeBefore(leaf.seq_time_value, leaf.seq_time_interval, now)!;
  const done = (from: number | null, until = end): string => eventsSql(leaf, from, until, context);
  const at = (time: number): string => `make_timestamp(${bind(time * 1_000)})`;
  // The statement must contain each bound value, so nothing is printed before it is needed.
  const often = (): string => `count(*) ${SIGNS[leaf.operator]} ${bind(leaf.operator_value ?? 1)}`;
  const persons = (from: string, having: string): string =>
    `SELECT person FROM (${from}) GROUP BY person HAVING ${having}`;
  switch (leaf.value) {
    case 'performed_event':
      return `SELECT DISTINCT person FROM (${done(start)})`;
    case 'performed_event_multiple':
      return persons(done(start), often());
    case 'performed_event_first_time':
      return persons(done(null), start === null ? 'true' : `min(moment) > ${at(start)}`);
    case 'stopped_performing_event':
      return persons(done(start, now), `max(moment) <= ${at(later)}`);
    case 'restarted_performing_event':
      return persons(
        done(null, now),
        `min(moment) <= ${at(spanStart!)} AND max(moment) > ${at(later)}
         AND count(*) FILTER (WHERE moment > ${at(spanStart!)} AND moment <= ${at(later)}) = 0`,
      );
    case 'performed_event_regularly':
      return regularSql(leaf, often(), context);
    case 'performed_event_sequence':
      return sequenceSql(leaf, done(start), start, end, context);
  }
}

/** Each event that counts, as `person` and `moment`; `from` is exclusive, null: from the first event on. */
function eventsSql(
  {
    event_type: type,
    key,
    event_filters: filters,
  }: Pick<BehaviourLeaf, 'event_type' | 'key' | 'event_filters'>,
  from: number | null,
  until: number,
  context: BehaviourContext,
): string {
  const { projectId, now, timezone, bind } = context;
  const action = type === 'actions' ? context.actionFilter(Number(key)) : null;
  const rows = { rows: 'events', alias: 'e', projectId, now, timezone } as const;
  const isIt =
    type === 'events' ? `e.event = ${bind(key)}` : action === null ? 'false' : filterSql(action, rows, bind);
  const since = from === null ? '' : `AND e.timestamp > make_timestamp(${bind(from * 1_000)})`;
  return `SELECT coalesce(o.person_id, e.person_id) AS person, e.timestamp AS moment
    FROM all_events e LEFT JOIN person_overrides o ON o.old_person_id = e.person_id
    WHERE e.project_id = ${bind(projectId)} AND ${isIt} ${since}
      AND e.timestamp <= make_timestamp(${bind(until * 1_000)}) AND ${filterSql(filters, rows, bind)}`;
}

/** In how many of the last periods it was done often enough; each begins after the end of the one before. */
function regularSql(leaf: BehaviourLeaf, often: string, context: BehaviourContext): string {
  const { now, bind } = context;
  const starts = Array.from(
    { length: leaf.total_periods! },
    (_, n) => timeBefore(leaf.time_value! * (n + 1), leaf.time_interval, now)! * 1_000,
  );
  const events = eventsSql(leaf, starts.at(-1)! / 1_000, now, context);
  return `SELECT person FROM (
      SELECT person, start FROM (${events}) done
      ASOF JOIN (SELECT unnest(${bind(starts)}::BIGINT[]) AS start) periods ON epoch_us(done.moment) > periods.start
      GROUP BY person, start HAVING ${often})
    GROUP BY person HAVING count(*) >= ${bind(leaf.min_periods!)}`;
}

/** The second event after the first and within its span: the latest first event before it decides. */
function sequenceSql(
  leaf: BehaviourLeaf,
  first: string,
  start: number | null,
  end: number,
  context: BehaviourContext,
): string {
  const second = eventsSql(
    { event_type: leaf.seq_event_type, key: leaf.seq_event!, event_filters: { type: 'AND', values: [] } },
    start,
    end,
    context,
  );
  const span = `${STEPS[leaf.seq_time_interval]}(${context.bind(leaf.seq_time_value!)}::INTEGER)`;
  return `SELECT DISTINCT b.person FROM (${second}) b ASOF JOIN (${first}) a ON a.person = b.person AND b.moment > a.moment
    WHERE b.moment <= a.moment + ${span}`;
}

/** Unix milliseconds; null: there is no such bound. */
function timeBefore(count: number | null, interval: keyof typeof UNITS, now: number): number | null {
  return count === null ? null : parseRelativeTime(`-${count}${UNITS[interval]}`, now);
}

/** A day is its midnight; what has no offset is in the project's time zone. */
function timeOf(text: string, { now, timezone }: BehaviourContext): number {
  const date = readIsoDate(text, timeZone(timezone));
  return date === null ? (parseRelativeTime(text, now) ?? Date.parse(text)) : date.start / 1_000;
}
