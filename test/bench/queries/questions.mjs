// @ts-check
/**
 * The six queries: as nodes for Burrow, and written by hand for DuckDB, ClickHouse and PostgreSQL. `$to` of the hand-written ones is
 * the end of the data, a moment in UTC. DuckDB reads `typed` (see `prepare.mjs`), ClickHouse a table as PostHog has it, PostgreSQL
 * one with jsonb. `shape` says what rows look like (see `same-results.mjs`).
 * @typedef {{ name: string, shape: import('./same-results.mjs').Shape, query: object, duckdb: string, clickhouse: string, postgres: string }} Question
 */

/** @param {string | null} event */
const series = (event) => [{ kind: 'EventsNode', event }];
const trend = (/** @type {object} */ more) => ({
  kind: 'TrendsQuery',
  interval: 'day',
  dateRange: { date_from: '-30d' },
  series: series('$pageview'),
  ...more,
});

const DAYS_30 = `timestamp >= date_trunc('day', $to::TIMESTAMP) - INTERVAL 30 DAY AND timestamp < date_trunc('day', $to::TIMESTAMP) + INTERVAL 1 DAY`;
const CH_30 =
  'timestamp >= toStartOfDay($to) - INTERVAL 30 DAY AND timestamp < toStartOfDay($to) + INTERVAL 1 DAY';
const WEEKS_8 = `timestamp >= date_trunc('week', $to::TIMESTAMP) - INTERVAL 7 WEEK AND timestamp < date_trunc('week', $to::TIMESTAMP) + INTERVAL 1 WEEK`;
const CH_WEEKS_8 =
  'timestamp >= toStartOfWeek($to, 1) - INTERVAL 7 WEEK AND timestamp < toStartOfWeek($to, 1) + INTERVAL 1 WEEK';
const PG_30 = DAYS_30.replaceAll('INTERVAL 30 DAY', "INTERVAL '30 days'").replaceAll(
  'INTERVAL 1 DAY',
  "INTERVAL '1 day'",
);
const PG_WEEKS_8 = WEEKS_8.replaceAll('INTERVAL 7 WEEK', "INTERVAL '7 weeks'").replaceAll(
  'INTERVAL 1 WEEK',
  "INTERVAL '1 week'",
);
const STEPS = ['$pageview', 'item_added', 'purchase'];
const WINDOW_DAYS = 7;
const BEFORE = 'PARTITION BY p ORDER BY t ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING';

/** @type {readonly Question[]} */
export const QUESTIONS = [
  {
    name: 'trends by day',
    shape: 'trend',
    query: trend({}),
    duckdb: `SELECT date_trunc('day', timestamp) d, count(*) FROM typed WHERE project_id = 1 AND event = '$pageview' AND ${DAYS_30} GROUP BY d`,
    clickhouse: `SELECT toDate(timestamp) d, count() FROM events WHERE project_id = 1 AND event = '$pageview' AND ${CH_30} GROUP BY d`,
    postgres: `SELECT date_trunc('day', timestamp) d, count(*) FROM events WHERE project_id = 1 AND event = '$pageview' AND ${PG_30} GROUP BY d`,
  },
  {
    name: 'unique users by day',
    shape: 'trend',
    query: trend({ series: [{ ...series('$pageview')[0], math: 'dau' }] }),
    duckdb: `SELECT date_trunc('day', timestamp) d, count(DISTINCT person_id) FROM typed WHERE project_id = 1 AND event = '$pageview' AND ${DAYS_30} GROUP BY d`,
    clickhouse: `SELECT toDate(timestamp) d, uniqExact(person_id) FROM events WHERE project_id = 1 AND event = '$pageview' AND ${CH_30} GROUP BY d`,
    postgres: `SELECT date_trunc('day', timestamp) d, count(DISTINCT person_id) FROM events WHERE project_id = 1 AND event = '$pageview' AND ${PG_30} GROUP BY d`,
  },
  {
    name: 'breakdown by a string property',
    shape: 'breakdown',
    query: trend({ breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' } }),
    duckdb: `SELECT date_trunc('day', timestamp) d, plan, count(*) FROM typed WHERE project_id = 1 AND event = '$pageview' AND ${DAYS_30} GROUP BY d, plan`,
    clickhouse: `SELECT toDate(timestamp) d, properties.plan::String p, count() FROM events WHERE project_id = 1 AND event = '$pageview' AND ${CH_30} GROUP BY d, p`,
    postgres: `SELECT date_trunc('day', timestamp) d, properties->>'plan' p, count(*) FROM events WHERE project_id = 1 AND event = '$pageview' AND ${PG_30} GROUP BY d, p`,
  },
  {
    name: 'filter on a numeric property',
    shape: 'trend',
    query: trend({
      series: series(null),
      properties: [{ type: 'event', key: 'amount', operator: 'gt', value: 900 }],
    }),
    duckdb: `SELECT date_trunc('day', timestamp) d, count(*) FROM typed WHERE project_id = 1 AND amount > 900 AND ${DAYS_30} GROUP BY d`,
    clickhouse: `SELECT toDate(timestamp) d, count() FROM events WHERE project_id = 1 AND properties.amount::Nullable(Float64) > 900 AND ${CH_30} GROUP BY d`,
    postgres: `SELECT date_trunc('day', timestamp) d, count(*) FROM events WHERE project_id = 1 AND (properties->>'amount')::double precision > 900 AND ${PG_30} GROUP BY d`,
  },
  {
    name: 'three-step funnel in 7 days',
    shape: 'funnel',
    query: {
      kind: 'FunnelsQuery',
      dateRange: { date_from: '-30d' },
      series: STEPS.flatMap((event) => series(event)),
      funnelsFilter: { funnelWindowInterval: WINDOW_DAYS, funnelWindowIntervalUnit: 'day' },
    },
    duckdb: `WITH rows AS (SELECT person_id p, event, timestamp t FROM typed WHERE project_id = 1 AND event IN ('${STEPS.join("', '")}') AND ${DAYS_30}),
      b AS (SELECT p, t FROM rows WHERE event = '${STEPS[1]}'),
      a AS (SELECT p, t FROM rows WHERE event = '${STEPS[0]}'),
      two AS (SELECT b.p, b.t, a.t s FROM b ASOF JOIN a ON a.p = b.p AND a.t < b.t),
      three AS (SELECT c.p, c.timestamp t, two.s FROM (SELECT person_id p, timestamp FROM typed WHERE project_id = 1 AND event = '${STEPS[2]}' AND ${DAYS_30}) c
        ASOF JOIN two ON two.p = c.p AND two.t < c.timestamp)
      SELECT (SELECT count(DISTINCT p) FROM a), (SELECT count(DISTINCT p) FROM two WHERE t - s <= INTERVAL ${WINDOW_DAYS} DAY),
        (SELECT count(DISTINCT p) FROM three WHERE t - s <= INTERVAL ${WINDOW_DAYS} DAY)`,
    clickhouse: `SELECT level, count() FROM (SELECT person_id, windowFunnel(${WINDOW_DAYS * 86_400_000_000})(toUInt64(toUnixTimestamp64Micro(timestamp)), ${STEPS.map((event) => `event = '${event}'`).join(', ')}) AS level
      FROM events WHERE project_id = 1 AND event IN ('${STEPS.join("', '")}') AND ${CH_30} GROUP BY person_id) GROUP BY level`,
    postgres: `WITH rows AS (SELECT person_id p, event, timestamp t FROM events WHERE project_id = 1 AND event IN ('${STEPS.join("', '")}') AND ${PG_30}),
      a AS (SELECT *, max(t) FILTER (WHERE event = '${STEPS[0]}') OVER w s1 FROM rows WINDOW w AS (${BEFORE})),
      b AS (SELECT *, max(s1) FILTER (WHERE event = '${STEPS[1]}') OVER w s2 FROM a WINDOW w AS (${BEFORE}))
      SELECT count(DISTINCT p) FILTER (WHERE event = '${STEPS[0]}'),
        count(DISTINCT p) FILTER (WHERE event = '${STEPS[1]}' AND t - s1 <= INTERVAL '${WINDOW_DAYS} days'),
        count(DISTINCT p) FILTER (WHERE event = '${STEPS[2]}' AND t - s2 <= INTERVAL '${WINDOW_DAYS} days') FROM b`,
  },
  {
    name: 'weekly retention',
    shape: 'retention',
    query: {
      kind: 'RetentionQuery',
      retentionFilter: {
        period: 'Week',
        totalIntervals: 8,
        retentionType: 'retention_recurring',
        targetEntity: { id: '$pageview', name: '$pageview', type: 'events' },
        returningEntity: { id: '$pageview', name: '$pageview', type: 'events' },
      },
    },
    duckdb: `WITH w AS (SELECT DISTINCT person_id p, date_trunc('week', timestamp) w FROM typed WHERE project_id = 1 AND event = '$pageview' AND ${WEEKS_8})
      SELECT a.w, b.w, count(*) FROM w a JOIN w b ON a.p = b.p AND b.w >= a.w GROUP BY ALL`,
    clickhouse: `WITH w AS (SELECT DISTINCT person_id p, toStartOfWeek(timestamp, 1) w FROM events WHERE project_id = 1 AND event = '$pageview' AND ${CH_WEEKS_8})
      SELECT a.w, b.w, count() FROM w a JOIN w b ON a.p = b.p WHERE b.w >= a.w GROUP BY a.w, b.w`,
    postgres: `WITH w AS (SELECT DISTINCT person_id p, date_trunc('week', timestamp) w FROM events WHERE project_id = 1 AND event = '$pageview' AND ${PG_WEEKS_8})
      SELECT a.w, b.w, count(*) FROM w a JOIN w b ON a.p = b.p AND b.w >= a.w GROUP BY a.w, b.w`,
  },
];
