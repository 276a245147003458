import type { Analytics, Param, Params, QueryOptions, Statements } from '../../db/db.ts';
import { selectPage, type Slice } from '../../db/select-page.ts';
import type { ReadStatements } from '../../db/db.ts';
import { propertyPointer } from '../../warehouse/duckdb/promoted-properties.ts';
import { virtualPropertyText, type Bind } from '../property-filters/index.ts';
import type { CohortConditions } from './cohort-conditions.ts';
import { COHORT, toCohort, type Cohort, type CohortRow } from './cohort-row.ts';
import { flagProperty, memberSql, type PropertySql } from './cohort-sql.ts';

/** Which cohorts a list shows: all conditions must hold. */
export interface CohortFilter {
  isStatic: boolean | null;
  createdBy: number | null;
  /** Part of the name or description. */
  search: string | null;
  /** Left out, by id. */
  without: readonly number[];
  /** As `Access.visibility` says it. */
  seen: { userId: number; byDefault: boolean; exceptions: readonly number[] };
}

/** Live cohorts of a project, newest first, and how many there are in all (management contract 9.2). */
export async function listCohorts(
  db: Statements,
  projectId: number,
  { isStatic, createdBy, search, without, seen }: CohortFilter,
  slice: Slice,
): Promise<{ rows: Cohort[]; count: number }> {
  const params: Record<string, Param> = { projectId, ...seen, without };
  const conditions = [
    'project_id = $projectId AND NOT deleted',
    '(coalesce(created_by = $userId, false) OR list_contains($exceptions::BIGINT[], id) <> $byDefault)',
    'NOT list_contains($without::BIGINT[], id)',
  ];
  const where = (condition: string, name: string, value: Param): void => {
    if (value === null) return;
    conditions.push(condition);
    params[name] = value;
  };
  where('is_static = $isStatic', 'isStatic', isStatic);
  where('created_by = $createdBy', 'createdBy', createdBy);
  where(
    '(contains(lower(name), lower($search)) OR contains(lower(description), lower($search)))',
    'search',
    search,
  );
  const found = `SELECT ${COHORT} FROM cohorts WHERE ${conditions.join(' AND ')}`;
  const { rows, count } = await selectPage<CohortRow>(db, found, params, '"createdAt" DESC, id DESC', slice);
  return { rows: rows.map(toCohort), count };
}

/** How many persons are in each of the cohorts, by one statement that reads each person once. */
export async function countMembers(
  asked: ReadStatements,
  projectId: number,
  cohortIds: readonly number[],
  conditions: CohortConditions,
): Promise<Map<number, number>> {
  if (cohortIds.length === 0) return new Map();
  const { from, columns, params } = membership(projectId, cohortIds, conditions, '');
  const counts = columns.map((column) => `count(*) FILTER (WHERE ${column}) AS ${column}`);
  const [row] = await asked.all<Record<string, number>>(`SELECT ${counts.join(', ')} FROM ${from}`, params);
  return new Map(cohortIds.map((id, at) => [id, row![columns[at]!]!]));
}

/** Which of the cohorts a person is in. */
export async function findCohortsOf(
  asked: ReadStatements,
  projectId: number,
  cohortIds: readonly number[],
  personId: number,
  conditions: CohortConditions,
): Promise<number[]> {
  if (cohortIds.length === 0) return [];
  const { from, columns, params } = membership(projectId, cohortIds, conditions, 'AND id = $personId');
  const [row] = await asked.all<Record<string, boolean>>(`SELECT ${columns.join(', ')} FROM ${from}`, {
    ...params,
    personId,
  });
  return cohortIds.filter((_, at) => row?.[columns[at]!] === true);
}

/** Persons with one column of booleans for each cohort. */
function membership(
  projectId: number,
  cohortIds: readonly number[],
  conditions: CohortConditions,
  where: string,
): { from: string; columns: string[]; params: Params } {
  const params: Record<string, Param> = { projectId };
  const bind: Bind = (value) => {
    const name = `value${Object.keys(params).length}`;
    params[name] = value;
    return `$${name}`;
  };
  const keys = new Map<string, PropertySql>();
  const propertyOf = (key: string): PropertySql => {
    let known = keys.get(key);
    if (known === undefined) {
      const at = keys.size;
      known = {
        text: `p.text${at}`,
        lower: `p.lower${at}`,
        number: `p.number${at}`,
        micros: `p.micros${at}`,
        type: `p.type${at}`,
      };
      keys.set(key, known);
    }
    return known;
  };
  const context = { ...conditions.context('p', bind), propertyOf };
  const columns = cohortIds.map((_, at) => `c${at}`);
  const members = cohortIds.map((id, at) => `${memberSql(id, context)} AS ${columns[at]}`);
  const persons = personsWith([...keys.keys()], where, context.timezone, bind);
  return { from: `(SELECT ${members.join(', ')} FROM (${persons}) p)`, columns, params };
}

/**
 * Persons with some of their properties: the JSON of each is read once, and all that rules compare them by is computed
 * once, whatever the number of rules. Only what some rule reads is computed.
 */
function personsWith(keys: readonly string[], where: string, timezone: string, bind: Bind): string {
  const source = `FROM persons WHERE project_id = $projectId ${where}`;
  if (keys.length === 0) return `SELECT id ${source}`;
  const pointers = keys.map((key) => bind(propertyPointer(key)));
  const read = keys.map((key, at) => {
    const virtual = virtualPropertyText('persons', 'i', key, bind);
    if (virtual !== null) return `${virtual} AS text${at}, 'VARCHAR' AS type${at}`;
    const value = `v[${at + 1}]`;
    return `CASE WHEN ${value} = 'null' THEN 'null' ELSE json_extract_string(${value}, '$') END AS text${at},
      json_type(${value}) AS type${at}`;
  });
  const compared = keys.map((_, at) => {
    const { lower, number, micros } = flagProperty(`text${at}`, `type${at}`, timezone);
    return `text${at}, type${at}, ${lower} AS lower${at}, ${number} AS number${at}, ${micros} AS micros${at}`;
  });
  return `SELECT id, ${compared.join(', ')} FROM (SELECT id, ${read.join(', ')}
    FROM (SELECT id, properties, json_extract(properties, [${pointers.join(', ')}]) AS v ${source}) i)`;
}

/** A condition on persons, rows of `persons` that are called `p`, and the values beside it. */
export interface PersonCondition {
  sql: string;
  params: Params;
}

/** The condition that `print` writes for the persons of a statement of its own. */
export function personCondition(print: (alias: string, bind: Bind) => string): PersonCondition {
  const params: Record<string, Param> = {};
  const sql = print('p', (value) => {
    const name = `value${Object.keys(params).length}`;
    params[name] = value;
    return `$${name}`;
  });
  return { sql, params };
}

/**
 * A SELECT of the numbers of a cohort's persons, for use in any statement; its parameters contain the cohort's id.
 */
export function selectMembers(
  projectId: number,
  cohortId: number,
  conditions: CohortConditions,
): PersonCondition {
  const params: Record<string, Param> = {};
  const bind: Bind = (value) => {
    const name = `cohort${cohortId}_${Object.keys(params).length}`;
    params[name] = value;
    return `$${name}`;
  };
  const condition = conditions.of(cohortId, 'p', bind) ?? 'false';
  return {
    sql: `SELECT p.id FROM persons p WHERE p.project_id = ${bind(projectId)} AND ${condition}`,
    params,
  };
}

/** Persons by UUID or distinct id, each with the name that it was found by; who has none of these names is not there. */
export function findNamedPersons(
  asked: ReadStatements,
  projectId: number,
  cohortId: number,
  names: readonly string[],
): Promise<{ name: string; id: number; isMember: boolean }[]> {
  return asked.all(
    `WITH names AS (SELECT unnest($names::VARCHAR[]) AS name), found AS (
       SELECT n.name, p.id FROM names n JOIN persons p ON p.uuid = try_cast(n.name AS UUID)
       WHERE p.project_id = $projectId
       UNION
       SELECT n.name, d.person_id FROM names n JOIN person_distinct_ids d ON d.distinct_id = n.name
       WHERE d.project_id = $projectId AND d.person_id IN (SELECT id FROM persons WHERE project_id = $projectId))
     SELECT name, id, id IN (
       SELECT coalesce(o.person_id, c.person_id) FROM cohort_people c
       LEFT JOIN person_overrides o ON o.old_person_id = c.person_id
       WHERE c.project_id = $projectId AND c.cohort_id = $cohortId) AS "isMember"
     FROM found`,
    { projectId, cohortId, names },
  );
}

/** Ids of the persons of whom the condition holds, newest created first, in pieces. */
export async function* streamPersonIds(
  analytics: Analytics,
  projectId: number,
  condition: PersonCondition,
  options: QueryOptions = {},
): AsyncGenerator<number[]> {
  const rows = analytics.stream<{ id: number }>(
    listed('ORDER BY created_at DESC, id DESC', condition),
    {
      ...condition.params,
      projectId,
    },
    options,
  );
  for await (const piece of rows) yield piece.map(({ id }) => id);
}

/** Ids of a page of those persons, and one more when there is a next page. */
export async function listMemberIds(
  asked: ReadStatements,
  projectId: number,
  condition: PersonCondition,
  { limit, offset }: Slice,
): Promise<number[]> {
  const order = `ORDER BY created_at DESC, id DESC LIMIT ${limit + 1} OFFSET ${offset}`;
  const rows = await asked.all<{ id: number }>(listed(order, condition), { ...condition.params, projectId });
  return rows.map(({ id }) => id);
}

/** How many persons there are, and of how many of them the condition holds. */
export async function countPersonsWith(
  asked: ReadStatements,
  projectId: number,
  condition: PersonCondition,
): Promise<{ count: number; total: number }> {
  const [row] = await asked.all<{ count: number; total: number }>(
    `SELECT count(*) FILTER (WHERE holds) AS count, count(*) AS total
     FROM (SELECT ${condition.sql} AS holds FROM persons p WHERE p.project_id = $projectId)`,
    { ...condition.params, projectId },
  );
  return row!;
}

function listed(order: string, { sql }: PersonCondition): string {
  return `SELECT p.id FROM persons p WHERE p.project_id = $projectId AND ${sql} ${order}`;
}
