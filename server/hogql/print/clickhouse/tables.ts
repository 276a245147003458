import { channelSql } from '../../tables/session-channel.ts';
import { jsonTextSql, nameSql } from './sql-text.ts';

/** A table of the language over the tables of the warehouse in ClickHouse. */
export interface ClickhouseTable {
  /** SQL of its columns, by name. */
  readonly columns: Readonly<Record<string, string>>;
  /** What follows FROM: the rows of one project; `table` writes the name of a table of the warehouse. */
  rows(scan: {
    project: number;
    groupTypeIndex: number | null;
    sample: number | null;
    table: (name: string) => string;
  }): string;
}

function property(name: string): string {
  return jsonTextSql('e.properties', [name]);
}

function sampled(ratio: number | null): string {
  return ratio === null ? '' : ` AND cityHash64(e.distinct_id) % 1000000 < ${Math.round(ratio * 1_000_000)}`;
}

/** Who sent an event, after the merges since it was stored. */
const PERSON = `if(o.old_person_id = e.person_id, o.person_id, e.person_id)`;

function eventsFrom(scan: Parameters<ClickhouseTable['rows']>[0]): string {
  return `${scan.table('events')} AS e LEFT JOIN ${scan.table('person_overrides')} AS o ON o.project_id = e.project_id AND o.old_person_id = e.person_id WHERE e.project_id = ${scan.project}${sampled(scan.sample)}`;
}

const GROUPS = [0, 1, 2, 3, 4].map((index): [string, string] => [
  `$group_${index}`,
  `ifNull(${property(`$group_${index}`)}, '')`,
]);

const SESSION = `ifNull(${property('$session_id')}, '')`;
const PAGE_OR_SCREEN = `e.event IN ('$pageview', '$screen')`;
const PAGES = `countIf(e.event = '$pageview')`;
const DURATION = `dateDiff('second', min(e.timestamp), max(e.timestamp))`;
const BOUNCE = `if(${PAGES} = 0, NULL, ${PAGES} = 1 AND countIf(e.event = '$autocapture') = 0 AND ${DURATION} < 10)`;

function first(name: string): string {
  return `argMinIf(${property(name)}, e.timestamp, isNotNull(${property(name)}))`;
}

function ofPages(aggregate: 'argMinIf' | 'argMaxIf', name: string): string {
  const value = property(name);
  return `${aggregate}(${value}, e.timestamp, ${PAGE_OR_SCREEN} AND isNotNull(${value}))`;
}

const UTM = ['source', 'medium', 'campaign', 'term', 'content'].map((name) => `utm_${name}`);
const ENTRIES = [...UTM, 'gclid', 'fbclid', 'msclkid'].map((name): [string, string] => [
  `$entry_${name}`,
  first(name),
]);

const sessionColumns: Record<string, string> = {
  session_id: SESSION,
  id: SESSION,
  distinct_id: 'argMax(e.distinct_id, e.timestamp)',
  person_id: `argMax(${PERSON}, e.timestamp)`,
  $start_timestamp: 'min(e.timestamp)',
  $end_timestamp: 'max(e.timestamp)',
  $session_duration: DURATION,
  duration: DURATION,
  $pageview_count: PAGES,
  $autocapture_count: `countIf(e.event = '$autocapture')`,
  $screen_count: `countIf(e.event = '$screen')`,
  $event_count: 'count()',
  $num_uniq_urls: `uniqExactIf(${property('$current_url')}, ${PAGE_OR_SCREEN})`,
  $is_bounce: BOUNCE,
  $entry_current_url: ofPages('argMinIf', '$current_url'),
  $entry_pathname: ofPages('argMinIf', '$pathname'),
  $entry_hostname: ofPages('argMinIf', '$host'),
  $exit_current_url: ofPages('argMaxIf', '$current_url'),
  $exit_pathname: ofPages('argMaxIf', '$pathname'),
  $end_current_url: ofPages('argMaxIf', '$current_url'),
  $end_pathname: ofPages('argMaxIf', '$pathname'),
  $entry_referring_domain: first('$referring_domain'),
  ...Object.fromEntries(ENTRIES),
};

/** Every table of the language, by name. */
export const CLICKHOUSE_TABLES: Readonly<Record<string, ClickhouseTable>> = {
  events: {
    columns: {
      uuid: 'e.uuid',
      event: 'e.event',
      properties: 'e.properties',
      timestamp: 'e.timestamp',
      distinct_id: 'e.distinct_id',
      elements_chain: 'e.elements_chain',
      created_at: 'e.received_at',
      person_id: PERSON,
      $session_id: property('$session_id'),
      $window_id: property('$window_id'),
      ...Object.fromEntries(GROUPS),
    },
    rows: eventsFrom,
  },
  persons: {
    columns: {
      id: 'r.id',
      created_at: 'r.created_at',
      properties: 'r.properties',
      is_identified: 'r.is_identified',
    },
    rows: ({ project, table }) => `${table('persons')} AS r WHERE r.project_id = ${project}`,
  },
  person_distinct_ids: {
    columns: { distinct_id: 'd.distinct_id', person_id: 'd.person_id' },
    rows: ({ project, table }) => `${table('person_distinct_ids')} AS d WHERE d.project_id = ${project}`,
  },
  cohort_people: {
    columns: { person_id: 'c.person_id', cohort_id: 'c.cohort_id' },
    rows: ({ project, table }) => `${table('cohort_people')} AS c WHERE c.project_id = ${project}`,
  },
  groups: {
    columns: {
      index: 'g.group_type_index',
      key: 'g.group_key',
      created_at: 'g.created_at',
      properties: 'g.properties',
      group_type_index: 'g.group_type_index',
      group_key: 'g.group_key',
    },
    rows({ project, groupTypeIndex, table }) {
      const ofType = groupTypeIndex === null ? '' : ` AND g.group_type_index = ${groupTypeIndex}`;
      return `${table('groups')} AS g WHERE g.project_id = ${project}${ofType}`;
    },
  },
  sessions: {
    columns: {
      ...sessionColumns,
      $channel_type: channelSql(
        {
          source: sessionColumns['$entry_utm_source']!,
          medium: sessionColumns['$entry_utm_medium']!,
          domain: sessionColumns['$entry_referring_domain']!,
          paidClick: `coalesce(${sessionColumns['$entry_gclid']!}, ${sessionColumns['$entry_msclkid']!})`,
        },
        'clickhouse',
      ),
    },
    rows: (scan) => `${eventsFrom(scan)} AND ${SESSION} != '' GROUP BY ${SESSION}`,
  },
};

/** A list of columns with their names. */
export function columnList(columns: readonly (readonly [string, string])[]): string {
  return columns.map(([name, sql]) => `${sql} AS ${nameSql(name)}`).join(', ');
}
