import { and, call, compare, constant, field, not } from '../build.ts';
import { arrayOf, boolean, scalar, type ValueType } from '../value-type.ts';
import {
  columns,
  propertiesColumn,
  sampleSql,
  teamId,
  type Column,
  type ExpressionColumn,
  type LazyJoin,
  type Table,
} from './table.ts';

/** Properties of events that say what a person is called, or what is known of one. */
export const PERSON_PROPERTIES: ReadonlySet<string> = new Set([
  '$set',
  '$set_once',
  '$unset',
  '$user_id',
  '$anon_distinct_id',
  '$distinct_id',
  'distinct_id',
  'alias',
]);

const GROUP_TYPES = [0, 1, 2, 3, 4];

/** A property with a column of its own, which rows that have only just arrived have not. */
function promoted(name: string): Column {
  const recent = `json_extract_string(e.properties, '/${name}')`;
  return { sql: `e."${name}"`, recent, type: scalar('String', true) };
}

/** The session as a UUID; NULL where it is none. */
function sessionUuid(): Column {
  const { sql, recent } = promoted('$session_id');
  const uuid = (text: string): string => `TRY_CAST(${text} AS UUID)`;
  return { sql: uuid(sql), recent: uuid(recent!), type: scalar('UUID', true), hidden: true };
}

/** Empty, as PostHog has it, where an event belongs to no group of the type. */
function groupKey(name: string): Column {
  const { sql, recent } = promoted(name);
  return { sql: `coalesce(${sql}, '')`, recent: `coalesce(${recent}, '')`, type: scalar('String') };
}

const groupColumns = Object.fromEntries(
  GROUP_TYPES.map((index) => [`$group_${index}`, groupKey(`$group_${index}`)]),
);
const groupJoins = GROUP_TYPES.map((index): [string, LazyJoin] => [
  `group_${index}`,
  { table: 'groups', on: [[`$group_${index}`, 'key']], groupTypeIndex: index },
]);
const personJoin: LazyJoin = { table: 'persons', on: [['person_id', 'id']] };

const CHAIN = `coalesce(e.elements_chain, '')`;

/** All that a pattern finds in the chain of elements, each once. */
function allIn(pattern: string): Column {
  const found = `regexp_extract_all(${CHAIN}, '${pattern}', 1)`;
  return {
    sql: `list_filter(${found}, lambda x, i: list_position(${found}, x) = i)`,
    type: arrayOf(scalar('String')),
    hidden: true,
  };
}

/** The issue that an exception belongs to, as its sender says. */
const ISSUE: ExpressionColumn = {
  type: scalar('UUID', true),
  expr: call('toUUID', field('properties', '$exception_issue_id')),
  hidden: true,
};

/** Agents that sign their requests name their site in the header Signature-Agent, and have the user agent of a browser. */
const SIGNED_BY_CHATGPT = '^"?(https?://)?chatgpt[.]com/?"?$';

/**
 * What a function says of the program that sent an event, or of an agent that signed it, where its user agent is that of
 * no program. PostHog reads no user agent but this one.
 */
function ofVisitor(
  name: string,
  ofSigned: string | boolean,
  type: ValueType = scalar('String'),
): ExpressionColumn {
  const agent = field('properties', '$raw_user_agent');
  const signature = field('properties', '$signature_agent');
  const isSigned = and(
    not(call('isLikelyBot', agent)),
    compare('=~', call('ifNull', call('toString', signature), constant('')), constant(SIGNED_BY_CHATGPT)),
  );
  return { type, expr: call('if', isSigned, constant(ofSigned), call(name, agent)), hidden: true };
}

/**
 * What happened: the rows of the view `all_events`, read where they are, because planning the view costs 3 ms.
 * Repetitions that are not settled yet are left out. A person is who the sender is now: merges since an event was
 * stored are in `person_overrides`, joined by numbers.
 */
export const eventsTable: Table = {
  name: 'events',
  canSample: true,
  rowId: 'e.rowid',
  moments: ['e.timestamp'],
  columns: columns({
    uuid: { sql: 'e.uuid', type: scalar('UUID') },
    event: { sql: 'e.event', type: scalar('String') },
    properties: propertiesColumn('e.properties', { kind: 'event' }),
    timestamp: { sql: 'e.timestamp', type: scalar('DateTime') },
    distinct_id: { sql: 'e.distinct_id', type: scalar('String'), ofPersons: true },
    elements_chain: { sql: CHAIN, type: scalar('String') },
    // What PostHog keeps of the chain in columns of their own: of the clicked element and its parents.
    elements_chain_href: {
      sql: `regexp_extract(${CHAIN}, '(?::|")href="(.*?)"', 1)`,
      type: scalar('String'),
      hidden: true,
    },
    elements_chain_texts: allIn('(?::|")text="(.*?)"'),
    elements_chain_ids: allIn('(?::|")attr_id="(.*?)"'),
    elements_chain_elements: allIn('(?:^|;)(a|button|form|input|select|textarea|label)(?:[.]|$|:)'),
    created_at: { sql: 'e.received_at', type: scalar('DateTime') },
    person_id: {
      sql: 'coalesce(o.person_id, e.person_id)',
      type: scalar('Person'),
      needs: 'person',
      unmerged: 'e.person_id',
    },
    // Who sent it when it arrived, whatever was merged since.
    event_person_id: { sql: 'e.person_id', type: scalar('Person'), hidden: true, ofPersons: true },
    inserted_at: { sql: 'e.received_at', type: scalar('DateTime'), hidden: true },
    team_id: teamId('e'),
    $session_id: promoted('$session_id'),
    $session_id_uuid: sessionUuid(),
    $window_id: promoted('$window_id'),
    ...groupColumns,
  }),
  expressions: new Map<string, ExpressionColumn>([
    ['event_issue_id', ISSUE],
    ['issue_id', ISSUE],
    ['$virt_is_bot', ofVisitor('isLikelyBot', true, boolean())],
    ['$virt_traffic_type', ofVisitor('getTrafficType', 'AI Agent')],
    ['$virt_traffic_category', ofVisitor('getTrafficCategory', 'ai_assistant')],
    ['$virt_bot_name', ofVisitor('getBotName', 'ChatGPT agent')],
    ['$virt_bot_operator', ofVisitor('getBotOperator', 'OpenAI')],
  ]),
  lazy: new Map<string, LazyJoin>([
    ['person', personJoin],
    ['poe', personJoin],
    ['pdi', { table: 'person_distinct_ids', on: [['distinct_id', 'distinct_id']] }],
    ['session', { table: 'sessions', on: [['$session_id', 'session_id']] }],
    ...groupJoins,
  ]),
  rows({ context, project, needs, sample }) {
    const merged = needs.has('person')
      ? ' LEFT JOIN person_overrides o ON o.old_person_id = e.person_id'
      : '';
    const condition = `e.project_id = ${project}${sampleSql('e.distinct_id', sample)}`;
    const suspects = `events_recent e ANTI JOIN late_retries USING (seq)${merged} WHERE e.suspect AND ${condition}`;
    return [
      { from: `events e${merged} WHERE ${condition}` },
      { from: `events_recent e${merged} WHERE NOT e.suspect AND ${condition}`, isRecent: true },
      ...(context.mayHaveSuspects === false ? [] : [{ from: suspects, isRecent: true as const }]),
    ];
  },
};
