import type { Query } from '../../../../hogql/ast.ts';
import { constant } from '../../../../hogql/build.ts';
import { shownValues } from '../../../../hogql/shown-value.ts';
import { withDashboardFilters } from '../../dashboard-filters.ts';
import { fieldsOf, isFields, type Fields } from '../../legacy-filters.ts';
import { defineKind } from '../../query-kind.ts';
import { fillPlaceholders } from './fill-placeholders.ts';
import { hogqlQuery } from './schema.ts';

/** Rows of a text without LIMIT (management contract 9.9). */
const DEFAULT_ROWS = 100;

/** SQL in HogQL (management contract 9.9). */
export const hogqlKind = defineKind({
  kind: 'HogQLQuery',
  role: 'table',
  schema: hogqlQuery,
  override(query, filters, variables) {
    const own = fieldsOf(query['filters']);
    const changes = withDashboardFilters(own, filters);
    return {
      ...(Object.keys(changes).length === 0 ? {} : { filters: { ...own, ...changes } }),
      ...withVariables(query, variables),
    };
  },
  async plan(query, context) {
    const parsed = await context.parse.select(query.query);
    const filled = await fillPlaceholders(parsed, query, context);
    return { query, tree: context.isExport ? filled : withLimit(filled) };
  },
  table: ({ tree }) => tree,
  async answer({ query, tree }, context) {
    const { rows, columns, hasMore, limit, offset } = await context.runQuery(tree);
    return {
      results: shownValues(
        rows,
        columns.map(({ shown }) => shown),
        context.timezone,
      ),
      columns: columns.map(({ name }) => name),
      types: columns.map(({ name, type }) => [name, type]),
      hasMore,
      limit,
      offset,
      query: query.query,
      ...(query.explain === true ? { explain: await context.explain(tree) } : {}),
    };
  },
});

function withLimit(query: Query): Query {
  return query.limit === undefined ? { ...query, limit: constant(DEFAULT_ROWS) } : query;
}

/** Overrides of variables that the text names without listing them are added. */
function withVariables(query: Fields, overrides: Fields): Fields {
  const given = Object.entries(overrides).filter((one): one is [string, Fields] => isFields(one[1]));
  if (given.length === 0) return {};
  const own = Object.entries(fieldsOf(query['variables']));
  const listed = own.map(([id, variable]): [string, unknown] => {
    const found = given.find((one) => isSame(one, [id, variable]));
    return [id, found === undefined ? variable : { ...(variable as Fields), ...valueIn(found[1]) }];
  });
  const others = given.filter((one) => !own.some((listedOne) => isSame(one, listedOne)));
  return { variables: Object.fromEntries([...others, ...listed]) };
}

/** Whether two entries are the same variable: by their keys, by the id in them, or by the name that texts use. */
function isSame([key, one]: [string, Fields], [id, listed]: [string, unknown]): boolean {
  const { variableId = id, code_name: codeName } = fieldsOf(listed);
  return (
    key === id ||
    (one['variableId'] ?? key) === variableId ||
    (typeof codeName === 'string' && one['code_name'] === codeName)
  );
}

function valueIn({ value, isNull }: Fields): Fields {
  return { ...(value === undefined ? {} : { value }), ...(isNull === undefined ? {} : { isNull }) };
}
