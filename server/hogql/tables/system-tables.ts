import type { ReadableRows } from '../hogql-context.ts';
import { scalar, type ValueType } from '../value-type.ts';
import { columns, type Column, type Table } from './table.ts';

/**
 * What Burrow stores beside events, as PostHog's tables of the same names have it. Each shows the rows that the caller may list by the
 * resource's own path; of a resource that the caller may not read, the table is unknown.
 */

const JSON_TEXT: ValueType = { name: 'JSON', nullable: true };

function column(sql: string, type: ValueType): Column {
  return { sql, type };
}

const int = (sql: string, nullable = false): Column => column(sql, scalar('Int64', nullable));
const text = (sql: string, nullable = false): Column => column(sql, scalar('String', nullable));
const json = (sql: string): Column => column(sql, JSON_TEXT);
const moment = (sql: string, nullable = false): Column => column(sql, scalar('DateTime', nullable));
/** 1 or 0. */
const flag = (sql: string): Column => column(`CAST(${sql} AS BIGINT)`, scalar('Int64'));

const TEAM = { team_id: int('s.project_id') };
const CREATED = { created_at: moment('s.created_at') };
const DELETED = { deleted: flag('s.deleted') };

interface SystemTable {
  /** The resource whose scope and rules decide who reads it. */
  readonly resource: string;
  /** What follows FROM, with the alias `s`. Default: the table of the same name. */
  readonly from?: string;
  /** How a row is said to be of the project. */
  readonly ofProject?: (project: string) => string;
  /** Its rows name persons, which are hidden from some callers. */
  readonly ofPersons?: true;
  /** Its rows have access rules of their own, by the column `id`. */
  readonly hasRules?: true;
  /** Its rows are about other objects: those that `ReadableRows.where` does not name are hidden. */
  readonly isAboutObjects?: true;
  readonly columns: Readonly<Record<string, Column>>;
}

const SYSTEM_TABLES: Readonly<Record<string, SystemTable>> = {
  actions: {
    resource: 'action',
    hasRules: true,
    columns: {
      id: int('s.id'),
      ...TEAM,
      name: text('s.name'),
      description: text('s.description'),
      ...DELETED,
      ...CREATED,
      updated_at: moment('s.updated_at'),
      steps_json: json('s.steps'),
    },
  },
  activity_logs: {
    resource: 'activity_log',
    from: 'activity_log s',
    isAboutObjects: true,
    columns: {
      id: text('CAST(s.id AS VARCHAR)'),
      ...TEAM,
      activity: text('s.activity'),
      item_id: text('s.item_id'),
      scope: text('s.scope'),
      detail: json('s.detail'),
      ...CREATED,
    },
  },
  annotations: {
    resource: 'annotation',
    columns: {
      id: int('s.id'),
      ...TEAM,
      content: text('s.content', true),
      scope: text('s.scope'),
      creation_type: text('s.creation_type'),
      date_marker: moment('s.date_marker', true),
      ...DELETED,
      dashboard_item_id: int('s.insight_id', true),
      dashboard_id: int('s.dashboard_id', true),
      created_by_id: int('s.created_by', true),
      ...CREATED,
      updated_at: moment('s.updated_at'),
    },
  },
  cohorts: {
    resource: 'cohort',
    hasRules: true,
    columns: {
      id: int('s.id'),
      ...TEAM,
      name: text('s.name'),
      description: text('s.description'),
      ...DELETED,
      filters: json('s.filters'),
      groups: json('s.legacy_groups'),
      query: json('s.query'),
      ...CREATED,
      last_calculation: moment('s.last_calculation'),
      version: int('s.version'),
      is_static: flag('s.is_static'),
    },
  },
  dashboards: {
    resource: 'dashboard',
    hasRules: true,
    columns: {
      id: int('s.id'),
      ...TEAM,
      name: text('s.name'),
      description: text('s.description'),
      ...CREATED,
      ...DELETED,
      filters: json('s.filters'),
      variables: json('s.variables'),
    },
  },
  early_access_features: {
    resource: 'early_access_feature',
    columns: {
      id: text('CAST(s.id AS VARCHAR)'),
      ...TEAM,
      name: text('s.name'),
      description: text('s.description'),
      stage: text('s.stage'),
      documentation_url: text('s.documentation_url'),
      payload: json('s.payload'),
      feature_flag_id: int('s.feature_flag_id'),
      ...CREATED,
    },
  },
  // Burrow has no experiments; queries that PostHog's assistant writes find an empty table.
  experiments: {
    resource: 'experiment',
    from: '(SELECT NULL::INTEGER AS id, NULL::INTEGER AS project_id, NULL::VARCHAR AS words, NULL::TIMESTAMP AS at WHERE false) s',
    columns: {
      id: int('s.id'),
      ...TEAM,
      name: text('s.words'),
      description: text('s.words'),
      created_at: moment('s.at'),
      updated_at: moment('s.at'),
      filters: json('s.words'),
      parameters: json('s.words'),
      start_date: moment('s.at', true),
      end_date: moment('s.at', true),
      archived: int('s.id'),
      feature_flag_id: int('s.id'),
    },
  },
  feature_flags: {
    resource: 'feature_flag',
    hasRules: true,
    columns: {
      id: int('s.id'),
      ...TEAM,
      key: text('s.key'),
      name: text('s.name'),
      filters: json('s.filters'),
      rollout_percentage: int(
        `CAST(json_extract_string(s.filters, '$.groups[0].rollout_percentage') AS BIGINT)`,
        true,
      ),
      active: flag('s.active'),
      ...CREATED,
      ...DELETED,
    },
  },
  group_type_mappings: {
    resource: 'group',
    from: 'group_types s',
    columns: {
      id: int('s.group_type_index'),
      ...TEAM,
      group_type: text('s.group_type'),
      group_type_index: int('s.group_type_index'),
      name_singular: text('s.name_singular', true),
      name_plural: text('s.name_plural', true),
    },
  },
  groups: {
    resource: 'group',
    columns: {
      ...TEAM,
      group_key: text('s.group_key'),
      group_type_index: int('s.group_type_index'),
      group_properties: json('s.properties'),
      ...CREATED,
    },
  },
  ingestion_warnings: {
    resource: 'query',
    ofPersons: true,
    columns: {
      ...TEAM,
      source: text('s.source'),
      type: text('s.type'),
      details: json('s.sample'),
      timestamp: moment('s.last_seen'),
      count: int('s.count'),
    },
  },
  insight_variables: {
    resource: 'insight_variable',
    columns: {
      id: text('CAST(s.id AS VARCHAR)'),
      ...TEAM,
      name: text('s.name'),
      type: text('s.type'),
      code_name: text('s.code_name'),
      values: json('s.value_list'),
      default_value: json('s.default_value'),
    },
  },
  insights: {
    resource: 'insight',
    hasRules: true,
    columns: {
      id: int('s.id'),
      short_id: text('s.short_id'),
      ...TEAM,
      name: text('s.name', true),
      derived_name: text('s.derived_name', true),
      description: text('s.description'),
      filters: json('s.filters'),
      query: json('s.query'),
      ...DELETED,
      saved: flag('s.saved'),
      favorited: flag('s.favorited'),
      ...CREATED,
      created_by_id: int('s.created_by', true),
      last_modified_at: moment('s.last_modified_at'),
      last_modified_by_id: int('s.last_modified_by', true),
      updated_at: moment('s.updated_at'),
    },
  },
  surveys: {
    resource: 'survey',
    columns: {
      id: text('CAST(s.id AS VARCHAR)'),
      ...TEAM,
      name: text('s.name'),
      type: text('s.type'),
      questions: json('s.questions'),
      appearance: json('s.appearance'),
      start_date: moment('s.start_date', true),
      end_date: moment('s.end_date', true),
      ...CREATED,
    },
  },
  teams: {
    resource: 'project',
    from: 'projects s',
    ofProject: (project) => `s.id = ${project}`,
    columns: {
      id: int('s.id'),
      team_id: int('s.id'),
      name: text('s.name'),
      timezone: text('s.timezone'),
      test_account_filters: json(`json_extract(s.settings, '$.test_account_filters')`),
      ...CREATED,
      updated_at: moment('s.updated_at'),
    },
  },
};

/** Leaves out the rows that rules hide from the caller. */
function visibleRows({ byDefault, exceptions }: ReadableRows): string {
  const ids = exceptions.map((id) => Math.trunc(id)).join(', ');
  if (byDefault) return ids === '' ? '' : ` AND s.id NOT IN (${ids})`;
  return ids === '' ? ' AND false' : ` AND s.id IN (${ids})`;
}

function systemTable(name: string, table: SystemTable): Table {
  const { resource, from = `${name} s`, ofProject = (project) => `s.project_id = ${project}` } = table;
  return {
    name: `system.${name}`,
    resource,
    ...(table.ofPersons && { ofPersons: true }),
    columns: columns(table.columns),
    lazy: new Map(),
    rows({ context, project }) {
      const readable = context.readableRows?.(resource) ?? { byDefault: false, exceptions: [] };
      const rules = table.hasRules ? visibleRows(readable) : readable.byDefault ? '' : ' AND false';
      const objects = table.isAboutObjects ? ` AND (${readable.where ?? 'false'})` : '';
      return [{ from: `${from} WHERE ${ofProject(project)}${rules}${objects}` }];
    },
  };
}

export const systemTables: readonly Table[] = Object.entries(SYSTEM_TABLES).map(([name, table]) =>
  systemTable(name, table),
);
