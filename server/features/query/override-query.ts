import { isFields, type Fields } from './legacy-filters.ts';
import { sourceOf, type StoredQuery } from './read-query.ts';

/** What one request, or a dashboard, lays over a query. */
export interface QueryOverrides {
  readonly filters?: Fields | null | undefined;
  /** By the id of the variable. */
  readonly variables?: Fields | null | undefined;
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

/** Kinds that know neither dates nor filters of a dashboard. */
const UNFILTERED = new Set(['ActorsQuery', 'PersonsQuery']);

/**
 * A query as a dashboard shows it: dates of the dashboard replace its own, properties of the dashboard must hold as well,
 * and a breakdown of the dashboard replaces its own (management contract 3.4, 9.6). Without such filters, the same query.
 */
export function applyDashboardFilters(query: StoredQuery, filters: Fields): StoredQuery {
  const source = sourceOf(query);
  const applied = applyToSource(source, filters);
  if (applied === source) return query;
  return source === query ? applied : { ...query, source: applied };
}

function applyToSource(source: StoredQuery, filters: Fields): StoredQuery {
  if (UNFILTERED.has(source.kind)) return source;
  // SQL takes dates and properties in an object of their own.
  const target = source.kind === 'HogQLQuery' ? fieldsOf(source['filters']) : source;
  const changes = {
    ...(source.kind === 'EventsQuery' ? eventDates(filters) : withDates(target, filters)),
    ...withProperties(target, filters),
    ...(source.kind === 'TrendsQuery' ? withBreakdown(filters) : {}),
  };
  if (Object.keys(changes).length === 0) return source;
  return target === source ? { ...source, ...changes } : { ...source, filters: { ...target, ...changes } };
}

function datesOf({ date_from: from, date_to: to }: Fields): Fields {
  return {
    ...(from === undefined || from === null ? {} : { date_from: from }),
    ...(to === undefined || to === null ? {} : { date_to: to }),
  };
}

/** Dates replace each other as a pair: an end without its beginning would mean another span. */
function withDates(target: Fields, filters: Fields): Fields {
  const dates = datesOf(filters);
  if (Object.keys(dates).length === 0) return {};
  const { date_from: _from, date_to: _to, ...rest } = fieldsOf(target['dateRange']);
  const isExplicit = filters['explicitDate'] ?? null;
  return { dateRange: { ...rest, ...dates, ...(isExplicit === null ? {} : { explicitDate: isExplicit }) } };
}

function eventDates(filters: Fields): Fields {
  const { date_from: after, date_to: before } = datesOf(filters);
  return { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
}

function withProperties(target: Fields, filters: Fields): Fields {
  const ofDashboard = filters['properties'];
  if (!hasFilters(ofDashboard)) return {};
  const own = target['properties'];
  if (!hasFilters(own)) return { properties: ofDashboard };
  if (Array.isArray(own) && Array.isArray(ofDashboard)) return { properties: [...own, ...ofDashboard] };
  return { properties: { type: 'AND', values: [groupOf(own), groupOf(ofDashboard)] } };
}

function withBreakdown({ breakdown_filter: breakdown }: Fields): Fields {
  const fields = fieldsOf(breakdown);
  return Object.keys(fields).length === 0 ? {} : { breakdownFilter: fields };
}

function hasFilters(properties: unknown): boolean {
  const list = Array.isArray(properties) ? properties : fieldsOf(properties)['values'];
  return Array.isArray(list) && list.length > 0;
}

function groupOf(properties: unknown): unknown {
  return Array.isArray(properties) ? { type: 'AND', values: properties } : properties;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}
