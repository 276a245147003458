import { fail } from '../../errors.ts';
import { applyDashboardFilters } from './dashboard-filters.ts';
import { isFields, type Fields } from './filter-fields.ts';
import { isWrapper, sourceOf, type StoredQuery } from './read-query.ts';
import { checkDashboardFilters } from './readable-fields.ts';
import { refuseUnsupported } from './unsupported-fields.ts';

/** What one request, or a dashboard, lays over a query. */
export interface QueryOverrides {
  readonly filters?: Fields | null | undefined;
  /** By the id of the variable. */
  readonly variables?: Fields | null | undefined;
}

/** A node that may be a query: an object with a `kind`, and in a wrapper another. Throws invalid_input. */
export function readNode(value: unknown): StoredQuery {
  const node = nodeOf(value, 'A query must be an object with a `kind`, such as HogQLQuery.');
  if (isWrapper(node.kind)) nodeOf(node['source'], `A ${node.kind} requires a query in \`source\`.`);
  return node;
}

/** A query to run without storing it. Throws invalid_input, also for an unknown field. */
export function readPostedQuery(value: unknown, overrides: QueryOverrides): StoredQuery {
  const query = readNode(value);
  refuseUnsupported(query);
  if (overrides.filters) checkDashboardFilters(overrides.filters, 'filters_override');
  return overrideQuery(query, overrides);
}

function nodeOf(value: unknown, detail: string): StoredQuery {
  const kind = typeof value === 'object' && value !== null ? (value as Fields)['kind'] : undefined;
  if (typeof kind !== 'string') throw fail('invalid_input', { detail });
  return value as StoredQuery;
}

/** The query under dates, properties and values that replace or join its own. Without any, the same query. */
export function overrideQuery(query: StoredQuery, { filters, variables }: QueryOverrides): StoredQuery {
  return withVariables(applyDashboardFilters(query, filters ?? {}), variables ?? {});
}

/** SQL alone has variables, also such as its text names without listing them. */
function withVariables(query: StoredQuery, values: Fields): StoredQuery {
  const source = sourceOf(query);
  const given = Object.entries(values).filter((one): one is [string, Fields] => isFields(one[1]));
  if (source.kind !== 'HogQLQuery' || given.length === 0) return query;
  const own = isFields(source['variables']) ? source['variables'] : {};
  const listed = Object.entries(own).map(([id, variable]): [string, unknown] => {
    const found = given.find((one) => isSame(one, [id, variable]));
    return [id, found === undefined ? variable : { ...(variable as Fields), ...saidOf(found[1]) }];
  });
  const others = given.filter((one) => !Object.entries(own).some((listedOne) => isSame(one, listedOne)));
  const changed = { ...source, variables: Object.fromEntries([...others, ...listed]) };
  return source === query ? changed : { ...query, source: changed };
}

/** Whether two entries mean the same variable: by their keys, by the id that they name, or by its name in texts. */
function isSame([key, one]: [string, Fields], [id, listed]: [string, unknown]): boolean {
  const { variableId = id, code_name: codeName } = (isFields(listed) ? listed : {}) as Fields;
  return (
    key === id ||
    (one['variableId'] ?? key) === variableId ||
    (typeof codeName === 'string' && one['code_name'] === codeName)
  );
}

function saidOf({ value, isNull }: Fields): Fields {
  return { ...(value === undefined ? {} : { value }), ...(isNull === undefined ? {} : { isNull }) };
}
