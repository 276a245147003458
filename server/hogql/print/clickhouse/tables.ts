import { AD_IDS, CAMPAIGN_PARAMETERS, ORIGIN_PROPERTIES, RARER_AD_IDS } from '../../tables/sessions-table.ts';
import { jsonTextSql, nameSql, textSql } from './sql-text.ts';

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

/** Who sent an event, where the person of its distinct ID has changed since it was stored. */
const PERSON = `if(o.distinct_id = e.distinct_id, o.person_id, e.person_id)`;

function eventsFrom(scan: Parameters<ClickhouseTable['rows']>[0]): string {
  return `${scan.table('events')} AS e LEFT JOIN ${scan.table('person_overrides')} AS o ON o.project_id = e.project_id AND o.distinct_id = e.distinct_id WHERE e.project_id = ${scan.project}${sampled(scan.sample)}`;
}

/** What a pattern finds in the elements of an event, each once. */
function allIn(pattern: string): string {
  return `arrayDistinct(extractAll(e.elements_chain, ${textSql(pattern)}))`;
}

const GROUPS = [0, 1, 2, 3, 4].map((index): [string, string] => [
  `$group_${index}`,
  `ifNull(${property(`$group_${index}`)}, '')`,
]);

const SESSION = `ifNull(${property('$session_id')}, '')`;
const PAGE_OR_SCREEN = `e.event IN ('$pageview', '$screen')`;
const DURATION = `dateDiff('second', min(e.timestamp), max(e.timestamp))`;
/** Pages and screens before other events. */
const FIRST = `if(${PAGE_OR_SCREEN}, e.timestamp, e.timestamp + INTERVAL 1 YEAR)`;
const LAST = `if(${PAGE_OR_SCREEN}, e.timestamp, e.timestamp - INTERVAL 1 YEAR)`;

function first(name: string): string {
  return `argMinIf(${property(name)}, ${FIRST}, isNotNull(${property(name)}))`;
}

function last(name: string, order: string): string {
  return `argMaxIf(${property(name)}, ${order}, isNotNull(${property(name)}))`;
}

const ENTRIES = [...CAMPAIGN_PARAMETERS, ...AD_IDS, ...RARER_AD_IDS].map((name): [string, string] => [
  `$entry_${name}`,
  first(name),
]);
const URL = property('$current_url');

const SESSION_UUID = `toUUIDOrNull(${SESSION})`;
/** The moment in an ID that is a UUID of version 7, in milliseconds. */
const ID_TIME = `if(match(${SESSION}, '^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'), UUIDv7ToDateTime(toUUIDOrZero(${SESSION}), 'UTC'), NULL)`;

const sessionColumns: Record<string, string> = {
  session_id: SESSION,
  id: SESSION,
  session_id_v7: SESSION_UUID,
  session_timestamp: `ifNull(${ID_TIME}, min(e.timestamp))`,
  team_id: 'any(e.project_id)',
  distinct_id: 'argMax(e.distinct_id, e.timestamp)',
  person_id: `argMax(${PERSON}, e.timestamp)`,
  $start_timestamp: 'min(e.timestamp)',
  $end_timestamp: 'max(e.timestamp)',
  max_inserted_at: 'max(e.received_at)',
  $session_duration: DURATION,
  duration: DURATION,
  $pageview_count: `countIf(e.event = '$pageview')`,
  $autocapture_count: `countIf(e.event = '$autocapture')`,
  $screen_count: `countIf(e.event = '$screen')`,
  $page_screen_autocapture_count_up_to: `least(countIf(${PAGE_OR_SCREEN} OR e.event = '$autocapture'), 2)`,
  $event_count: 'count()',
  $urls: `arraySort(groupUniqArrayIf(assumeNotNull(${URL}), ${PAGE_OR_SCREEN} AND isNotNull(${URL})))`,
  $num_uniq_urls: `uniqExactIf(${URL}, ${PAGE_OR_SCREEN})`,
  $entry_current_url: first('$current_url'),
  $end_current_url: last('$current_url', LAST),
  $exit_current_url: last('$current_url', LAST),
  $last_external_click_url: last('$external_click_url', 'e.timestamp'),
  $entry_referring_domain: first('$referring_domain'),
  ...Object.fromEntries(ENTRIES),
  $entry_channel_type_properties: `argMin(tuple(${ORIGIN_PROPERTIES.map(property).join(', ')}), ${FIRST})`,
};

const persons: ClickhouseTable = {
  columns: {
    id: 'r.id',
    created_at: 'r.created_at',
    properties: 'r.properties',
    is_identified: 'r.is_identified',
    team_id: 'r.project_id',
  },
  rows: ({ project, table }) => `${table('persons')} AS r WHERE r.project_id = ${project}`,
};

const distinctIds: ClickhouseTable = {
  columns: { distinct_id: 'd.distinct_id', person_id: 'd.person_id', team_id: 'd.project_id' },
  rows: ({ project, table }) => `${table('person_distinct_ids')} AS d WHERE d.project_id = ${project}`,
};

const groups: ClickhouseTable = {
  columns: {
    index: 'g.group_type_index',
    key: 'g.group_key',
    created_at: 'g.created_at',
    properties: 'g.properties',
    group_type_index: 'g.group_type_index',
    group_key: 'g.group_key',
    team_id: 'g.project_id',
  },
  rows({ project, groupTypeIndex, table }) {
    const ofType = groupTypeIndex === null ? '' : ` AND g.group_type_index = ${groupTypeIndex}`;
    return `${table('groups')} AS g WHERE g.project_id = ${project}${ofType}`;
  },
};

/** A table whose rows have versions in PostHog. */
function raw({ columns, rows }: ClickhouseTable): ClickhouseTable {
  return { columns: { ...columns, is_deleted: '0', version: '0' }, rows };
}

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
      elements_chain_href: `extract(e.elements_chain, ${textSql('(?::|")href="(.*?)"')})`,
      elements_chain_texts: allIn('(?::|")text="(.*?)"'),
      elements_chain_ids: allIn('(?::|")attr_id="(.*?)"'),
      elements_chain_elements: allIn('(?:^|;)(a|button|form|input|select|textarea|label)(?:[.]|$|:)'),
      created_at: 'e.received_at',
      person_id: PERSON,
      event_person_id: 'e.person_id',
      inserted_at: 'e.received_at',
      team_id: 'e.project_id',
      $session_id: property('$session_id'),
      $session_id_uuid: SESSION_UUID,
      $window_id: property('$window_id'),
      ...Object.fromEntries(GROUPS),
    },
    rows: eventsFrom,
  },
  persons,
  raw_persons: raw(persons),
  person_distinct_ids: distinctIds,
  raw_person_distinct_ids: raw(distinctIds),
  cohort_people: {
    columns: { person_id: 'c.person_id', cohort_id: 'c.cohort_id' },
    rows: ({ project, table }) => `${table('cohort_people')} AS c WHERE c.project_id = ${project}`,
  },
  groups,
  raw_groups: raw(groups),
  sessions: {
    columns: sessionColumns,
    rows: (scan) => `${eventsFrom(scan)} AND ${SESSION} != '' GROUP BY ${SESSION}`,
  },
};

/** A list of columns with their names. */
export function columnList(columns: readonly (readonly [string, string])[]): string {
  return columns.map(([name, sql]) => `${sql} AS ${nameSql(name)}`).join(', ');
}
