import { call, constant } from '../build.ts';
import { scalar } from '../value-type.ts';
import { channelType, domainType, initialOrigin } from './channel-type.ts';
import {
  columns,
  propertiesColumn,
  teamId,
  type Column,
  type ExpressionColumn,
  type Table,
} from './table.ts';

const TEXT = scalar('String', true);

/** There is no revenue analytics. */
const NO_REVENUE: ExpressionColumn = {
  type: scalar('Float64', true),
  expr: call('toFloat', constant(null)),
  hidden: true,
};
const REVENUE: readonly [string, ExpressionColumn][] = [
  ['$virt_revenue', NO_REVENUE],
  ['$virt_mrr', NO_REVENUE],
];

/** Who was seen, as they are now. */
export const personsTable: Table = {
  name: 'persons',
  ofPersons: true,
  columns: columns({
    id: { sql: 'r.id', type: scalar('Person') },
    created_at: { sql: 'r.created_at', type: scalar('DateTime') },
    properties: propertiesColumn('r.properties', { kind: 'person' }),
    is_identified: { sql: 'r.is_identified', type: scalar('Bool') },
    team_id: teamId('r'),
  }),
  expressions: new Map([
    [
      '$virt_initial_channel_type',
      { type: scalar('String'), expr: channelType(initialOrigin()), hidden: true },
    ],
    [
      '$virt_initial_referring_domain_type',
      { type: TEXT, expr: domainType(initialOrigin().referringDomain), hidden: true },
    ],
    ...REVENUE,
  ]),
  lazy: new Map([['pdi', { table: 'person_distinct_ids', on: [['id', 'person_id']] }]]),
  rows: ({ project }) => [{ from: `persons r WHERE r.project_id = ${project}` }],
};

/** What PostHog keeps of a row that is replaced instead of changed; rows are changed here, so there is one version of each. */
const OF_RAW_ROWS: Readonly<Record<string, Column>> = {
  is_deleted: { sql: '0', type: scalar('Int64') },
  version: { sql: '0', type: scalar('Int64') },
};

/** The table under the name that it has in PostHog before versions of its rows are brought together. */
function raw(table: Table): Table {
  return {
    ...table,
    name: `raw_${table.name}`,
    columns: new Map([...table.columns, ...Object.entries(OF_RAW_ROWS)]),
  };
}

/** Which distinct id belongs to whom now. */
export const personDistinctIdsTable: Table = {
  name: 'person_distinct_ids',
  ofPersons: true,
  columns: columns({
    distinct_id: { sql: 'd.distinct_id', type: scalar('String') },
    person_id: { sql: 'd.person_id', type: scalar('Person') },
    team_id: teamId('d'),
  }),
  lazy: new Map([['person', { table: 'persons', on: [['person_id', 'id']] }]]),
  rows: ({ project }) => [{ from: `person_distinct_ids d WHERE d.project_id = ${project}` }],
};

/** Who is in which cohort: fixed lists, and what the rules of the others say now. */
export const cohortPeopleTable: Table = {
  name: 'cohort_people',
  ofPersons: true,
  columns: columns({
    person_id: { sql: 'c.person_id', type: scalar('Person') },
    cohort_id: { sql: 'c.cohort_id', type: scalar('Int64') },
  }),
  lazy: new Map([['person', { table: 'persons', on: [['person_id', 'id']] }]]),
  rows({ context, embed }) {
    const members = (context.cohortIds?.() ?? []).flatMap((id) => {
      const cohort = context.cohort(id);
      return cohort === null ? [] : [`SELECT x.*, ${Math.trunc(id)}::BIGINT FROM (${embed(cohort)}) x`];
    });
    const none = 'SELECT NULL::INTEGER, NULL::BIGINT WHERE false';
    return [
      { from: `(${members.length === 0 ? none : members.join(' UNION ALL ')}) c(person_id, cohort_id)` },
    ];
  },
};

/** What persons belong to, of any of the project's group types. */
export const groupsTable: Table = {
  name: 'groups',
  ofGroups: true,
  columns: columns({
    index: { sql: 'g.group_type_index', type: scalar('Int64') },
    key: { sql: 'g.group_key', type: scalar('String') },
    created_at: { sql: 'g.created_at', type: scalar('DateTime') },
    properties: propertiesColumn('g.properties', { kind: 'group' }),
    group_type_index: { sql: 'g.group_type_index', type: scalar('Int64'), hidden: true },
    group_key: { sql: 'g.group_key', type: scalar('String'), hidden: true },
    team_id: teamId('g'),
  }),
  expressions: new Map(REVENUE),
  lazy: new Map(),
  rows({ project, groupTypeIndex }) {
    const ofType = groupTypeIndex === null ? '' : ` AND g.group_type_index = ${Math.trunc(groupTypeIndex)}`;
    return [{ from: `groups g WHERE g.project_id = ${project}${ofType}` }];
  },
};

/** The tables as PostHog has them below those of the same name: queries that bring the versions of rows together name them. */
export const rawTables: readonly Table[] = [personsTable, personDistinctIdsTable, groupsTable].map(raw);
