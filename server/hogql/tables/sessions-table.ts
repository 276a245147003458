import { scalar } from '../value-type.ts';
import { channelSql } from './session-channel.ts';
import { columns, sampleSql, type Column, type LazyJoin, type Table } from './table.ts';

const TEXT = scalar('String', true);
const START = 'min(e.timestamp)';
const END = 'max(e.timestamp)';
const SECONDS = `date_diff('second', ${START}, ${END})`;
const PAGES = count(`e.event = '$pageview'`);
const PAGE_OR_SCREEN = `e.event IN ('$pageview', '$screen')`;

/** Ten seconds, a second page or something clicked: more than a bounce. */
const BOUNCE = `CASE WHEN ${PAGES} = 0 THEN NULL
  ELSE ${PAGES} = 1 AND ${count(`e.event = '$autocapture'`)} = 0 AND ${SECONDS} < 10 END`;

function count(condition: string): string {
  return `count(*) FILTER (WHERE ${condition})`;
}

function counted(condition: string): Column {
  return { sql: count(condition), type: scalar('UInt64') };
}

/** What the session's first event that says it says. */
function first(value: string): string {
  return `arg_min(${value}, e.timestamp) FILTER (WHERE ${value} IS NOT NULL)`;
}

function text(sql: string): Column {
  return { sql, type: TEXT };
}

function property(name: string): string {
  return `json_extract_string(e.properties, '/${name}')`;
}

function ofPages(function_: 'arg_min' | 'arg_max', column: string): Column {
  return text(`${function_}(e."${column}", e.timestamp) FILTER (WHERE ${PAGE_OR_SCREEN})`);
}

const UTM = ['source', 'medium', 'campaign', 'term', 'content'].map((name): [string, Column] => [
  `$entry_utm_${name}`,
  text(first(property(`utm_${name}`))),
]);
const CLICK_IDS = ['gclid', 'fbclid', 'msclkid'].map((name): [string, Column] => [
  `$entry_${name}`,
  text(first(property(name))),
]);

const personJoin: LazyJoin = { table: 'persons', on: [['person_id', 'id']] };

/** Visits: the events of one `$session_id`, computed from them. A page is the URL or screen of `$pageview` or `$screen`. */
export const sessionsTable: Table = {
  name: 'sessions',
  canSample: true,
  moments: [START, END],
  columns: columns({
    session_id: { sql: 'e."$session_id"', type: scalar('String') },
    id: { sql: 'e."$session_id"', type: scalar('String'), hidden: true },
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
    $session_duration: { sql: SECONDS, type: scalar('Int64') },
    duration: { sql: SECONDS, type: scalar('Int64'), hidden: true },
    $pageview_count: counted(`e.event = '$pageview'`),
    $autocapture_count: counted(`e.event = '$autocapture'`),
    $screen_count: counted(`e.event = '$screen'`),
    $event_count: { sql: 'count(*)', type: scalar('UInt64') },
    $num_uniq_urls: {
      sql: `count(DISTINCT e."$current_url") FILTER (WHERE ${PAGE_OR_SCREEN})`,
      type: scalar('UInt64'),
    },
    $is_bounce: { sql: BOUNCE, type: scalar('Bool', true) },
    $entry_current_url: ofPages('arg_min', '$current_url'),
    $entry_pathname: ofPages('arg_min', '$pathname'),
    $entry_hostname: ofPages('arg_min', '$host'),
    $exit_current_url: ofPages('arg_max', '$current_url'),
    $exit_pathname: ofPages('arg_max', '$pathname'),
    $end_current_url: { ...ofPages('arg_max', '$current_url'), hidden: true },
    $end_pathname: { ...ofPages('arg_max', '$pathname'), hidden: true },
    $entry_referring_domain: text(first('e."$referring_domain"')),
    ...Object.fromEntries(UTM),
    ...Object.fromEntries(CLICK_IDS),
  }),
  derived: new Map([
    [
      '$channel_type',
      {
        type: scalar('String'),
        of: [
          '$entry_utm_source',
          '$entry_utm_medium',
          '$entry_referring_domain',
          '$entry_gclid',
          '$entry_msclkid',
        ],
        sql: (source: string, medium: string, domain: string, gclid: string, msclkid: string) =>
          channelSql({ source, medium, domain, paidClick: `coalesce(${gclid}, ${msclkid})` }),
      },
    ],
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
