import { fieldsOf, type Fields } from './legacy-filters.ts';

/** Fields of a query in which a dashboard's dates replace those of the query, and its properties are added. */
export function withDashboardFilters(target: Fields, filters: Fields): Fields {
  return { ...withDates(target, filters), ...withProperties(target, filters) };
}

/** The dates that a dashboard sets. */
export function datesOf({ date_from: from, date_to: to }: Fields): Fields {
  return {
    ...(from === undefined || from === null ? {} : { date_from: from }),
    ...(to === undefined || to === null ? {} : { date_to: to }),
  };
}

/** Dates are replaced as a pair: an end without its start would be another range. */
function withDates(target: Fields, filters: Fields): Fields {
  const dates = datesOf(filters);
  if (Object.keys(dates).length === 0) return {};
  const { date_from: _from, date_to: _to, ...rest } = fieldsOf(target['dateRange']);
  const isExplicit = filters['explicitDate'] ?? null;
  return { dateRange: { ...rest, ...dates, ...(isExplicit === null ? {} : { explicitDate: isExplicit }) } };
}

/** Properties of the query and of the dashboard must all match. */
export function withProperties(target: Fields, filters: Fields): Fields {
  const ofDashboard = filters['properties'];
  if (!hasFilters(ofDashboard)) return {};
  const own = target['properties'];
  if (!hasFilters(own)) return { properties: ofDashboard };
  if (Array.isArray(own) && Array.isArray(ofDashboard)) return { properties: [...own, ...ofDashboard] };
  return { properties: { type: 'AND', values: [groupOf(own), groupOf(ofDashboard)] } };
}

function hasFilters(properties: unknown): boolean {
  const list = Array.isArray(properties) ? properties : fieldsOf(properties)['values'];
  return Array.isArray(list) && list.length > 0;
}

function groupOf(properties: unknown): unknown {
  return Array.isArray(properties) ? { type: 'AND', values: properties } : properties;
}
