import type { Expr } from '../ast.ts';
import { and, arithmetic, call, compare, constant, field, isNotNull, tupleAccess } from '../build.ts';
import { tupleSql } from '../tuple-sql.ts';
import { arrayOf, boolean, scalar, tupleOf, type ValueType } from '../value-type.ts';
import { channelType } from './channel-type.ts';
import {
  columns,
  sampleSql,
  type Column,
  type ExpressionColumn,
  type LazyJoin,
  type Table,
} from './table.ts';

const TEXT = scalar('String', true);
const COUNT = scalar('UInt64');
const START = 'min(e.timestamp)';
const END = 'max(e.timestamp)';
const SECONDS = `date_diff('second', ${START}, ${END})`;
const PAGE_OR_SCREEN = `e.event IN ('$pageview', '$screen')`;
/** The moment in an ID that is a UUID of version 7, in milliseconds; NULL of others. */
const ID_TIME = `CASE WHEN regexp_full_match(e."$session_id", '[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}')
  THEN make_timestamp(CAST('0x' || left(e."$session_id", 8) || substring(e."$session_id", 10, 4) AS BIGINT) * 1000) END`;
/** A bounce is shorter, in seconds. */
const SHORTEST_VISIT = 10;

/**
 * The order of events by which a session has its first and last values: pages and screens before others, which count
 * where a session has neither. PostHog moves the others by a year too.
 */
const FIRST = `CASE WHEN ${PAGE_OR_SCREEN} THEN e.timestamp ELSE e.timestamp + INTERVAL 1 YEAR END`;
const LAST = `CASE WHEN ${PAGE_OR_SCREEN} THEN e.timestamp ELSE e.timestamp - INTERVAL 1 YEAR END`;

function counted(event: string): Column {
  return { sql: `count(*) FILTER (WHERE e.event = '${event}')`, type: COUNT };
}

function text(sql: string, hidden?: true): Column {
  return { sql, type: TEXT, ...(hidden && { hidden }) };
}

function property(name: string): string {
  return `json_extract_string(e.properties, '/${name}')`;
}

/** Parameters of addresses that say who sent a visitor. */
export const CAMPAIGN_PARAMETERS = [
  'utm_source',
  'utm_campaign',
  'utm_medium',
  'utm_term',
  'utm_content',
] as const;

/** Ids of clicks on advertisements; the rarer ones are left out of `*`. */
export const AD_IDS = ['gclid', 'gad_source', 'fbclid'] as const;
export const RARER_AD_IDS = [
  'gclsrc', 'dclid', 'gbraid', 'wbraid', 'msclkid', 'twclid', 'li_fat_id', 'mc_cid', 'igshid', 'ttclid', 'epik', 'qclid',
  'sccid', '_kx', 'irclid', 'gad_campaignid', 'srsltid', 'rdt_cid', 'irclickid', 'utm_id', 'utm_source_platform',
  'utm_creative_format', 'utm_marketing_tactic', 'yclid', 'tblci', 'dicbo', 'ndclid', 'cjevent', 'awc', 'syclid', '_bhlid',
  'rtid',
] as const; // prettier-ignore

/** What the channel of a session is derived from, all of one event. */
export const ORIGIN_PROPERTIES = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  '$referring_domain',
  'gclid',
  'fbclid',
  'gad_source',
] as const;

function entry(name: string, hidden?: true): [string, Column] {
  return [`$entry_${name}`, text(`arg_min(${property(name)}, ${FIRST})`, hidden)];
}

function hasEntry(name: string, hidden?: true): [string, ExpressionColumn] {
  return [`$entry_has_${name}`, truth(isNotNull(field(`$entry_${name}`)), hidden)];
}

function truth(condition: Expr, hidden?: true): ExpressionColumn {
  return { type: boolean(), expr: call('toBool', condition), ...(hidden && { hidden }) };
}

/** A part of an address of the session. */
function ofUrl(part: 'path' | 'domain', url: string, hidden?: true): ExpressionColumn {
  return { type: TEXT, expr: call(part, field(url)), ...(hidden && { hidden }) };
}

const pages = arithmetic('+', field('$pageview_count'), field('$screen_count'));

/** No page: nothing is said of it. Ten seconds, a second page or something clicked: no bounce. */
const isBounce = call(
  'if',
  compare('==', pages, constant(0)),
  constant(null),
  and(
    compare('==', pages, constant(1)),
    compare('==', field('$autocapture_count'), constant(0)),
    compare('<', field('$session_duration'), constant(SHORTEST_VISIT)),
  ),
);

function origin(name: (typeof ORIGIN_PROPERTIES)[number]): Expr {
  return tupleAccess(field('$entry_channel_type_properties'), ORIGIN_PROPERTIES.indexOf(name) + 1);
}

const channel = channelType({
  source: origin('utm_source'),
  medium: origin('utm_medium'),
  campaign: origin('utm_campaign'),
  referringDomain: origin('$referring_domain'),
  gclid: origin('gclid'),
  fbclid: origin('fbclid'),
  gadSource: origin('gad_source'),
});

const personJoin: LazyJoin = { table: 'persons', on: [['person_id', 'id']] };
const hiddenAs = (type: ValueType, sql: string): Column => ({ sql, type, hidden: true });

/** Visits: the events of one `$session_id`, computed from them. */
export const sessionsTable: Table = {
  name: 'sessions',
  canSample: true,
  moments: [START, END],
  columns: columns({
    session_id: { sql: 'e."$session_id"', type: scalar('String') },
    id: hiddenAs(scalar('String'), 'e."$session_id"'),
    session_id_v7: hiddenAs(scalar('UUID', true), 'TRY_CAST(e."$session_id" AS UUID)'),
    session_timestamp: hiddenAs(scalar('DateTime'), `coalesce(${ID_TIME}, ${START})`),
    team_id: hiddenAs(scalar('Int64'), 'any_value(e.project_id)'),
    distinct_id: {
      sql: 'arg_max(e.distinct_id, e.timestamp)',
      type: scalar('String'),
      ofPersons: true,
    },
    person_id: {
      sql: 'arg_max(coalesce(o.person_id, e.person_id), e.timestamp)',
      unmerged: 'arg_max(e.person_id, e.timestamp)',
      type: scalar('Person'),
      needs: 'person',
    },
    $start_timestamp: { sql: START, type: scalar('DateTime') },
    $end_timestamp: { sql: END, type: scalar('DateTime') },
    max_inserted_at: hiddenAs(scalar('DateTime'), 'max(e.received_at)'),
    $session_duration: { sql: SECONDS, type: scalar('Int64') },
    duration: hiddenAs(scalar('Int64'), SECONDS),
    $pageview_count: counted('$pageview'),
    $autocapture_count: counted('$autocapture'),
    $screen_count: counted('$screen'),
    $page_screen_autocapture_count_up_to: hiddenAs(
      COUNT,
      `least(count(*) FILTER (WHERE ${PAGE_OR_SCREEN} OR e.event = '$autocapture'), 2)`,
    ),
    $event_count: { sql: 'count(*)', type: COUNT },
    $urls: {
      sql: `list_sort(coalesce(list(DISTINCT e."$current_url") FILTER (WHERE ${PAGE_OR_SCREEN} AND e."$current_url" IS NOT NULL), []))`,
      type: arrayOf(scalar('String')),
      hidden: true,
    },
    $num_uniq_urls: {
      sql: `count(DISTINCT e."$current_url") FILTER (WHERE ${PAGE_OR_SCREEN})`,
      type: COUNT,
    },
    $entry_current_url: text(`arg_min(e."$current_url", ${FIRST})`),
    $end_current_url: text(`arg_max(e."$current_url", ${LAST})`),
    $exit_current_url: text(`arg_max(e."$current_url", ${LAST})`, true),
    $last_external_click_url: text(`arg_max(${property('$external_click_url')}, e.timestamp)`),
    $entry_referring_domain: text(`arg_min(e."$referring_domain", ${FIRST})`),
    ...Object.fromEntries([...CAMPAIGN_PARAMETERS, ...AD_IDS].map((name) => entry(name))),
    ...Object.fromEntries(RARER_AD_IDS.map((name) => entry(name, true))),
    $entry_channel_type_properties: hiddenAs(
      tupleOf(ORIGIN_PROPERTIES.map(() => TEXT)),
      `arg_min(${tupleSql(ORIGIN_PROPERTIES.map(property))}, ${FIRST})`,
    ),
  }),
  expressions: new Map([
    ['$entry_pathname', ofUrl('path', '$entry_current_url')],
    ['$entry_hostname', ofUrl('domain', '$entry_current_url')],
    ['$end_pathname', ofUrl('path', '$end_current_url')],
    ['$end_hostname', ofUrl('domain', '$end_current_url')],
    ['$exit_pathname', ofUrl('path', '$end_current_url', true)],
    ...AD_IDS.filter((name) => name !== 'gad_source').map((name) => hasEntry(name)),
    ...RARER_AD_IDS.map((name) => hasEntry(name, true)),
    ['$has_autocapture', truth(compare('>', field('$autocapture_count'), constant(0)), true)],
    // Recordings are not stored.
    ['$has_replay_events', truth(constant(false), true)],
    ['$is_bounce', { type: scalar('Bool', true), expr: isBounce }],
    ['$channel_type', { type: scalar('String'), expr: channel }],
  ]),
  lazy: new Map([['person', personJoin]]),
  rows({ project, needs, sample, sessionsWith }) {
    const merged = needs.has('person')
      ? ' LEFT JOIN person_overrides o ON o.old_person_id = e.person_id'
      : '';
    const wanted = sessionsWith.map(
      (condition) =>
        ` AND e."$session_id" IN (SELECT s."$session_id" FROM all_events s WHERE s.project_id = ${project} AND ${condition})`,
    );
    const condition = `e.project_id = ${project} AND e."$session_id" <> ''${sampleSql('e.distinct_id', sample)}${wanted.join('')}`;
    return [{ from: `all_events e${merged} WHERE ${condition} GROUP BY e."$session_id"` }];
  },
};
