import { isJsonObject } from '../../lib/exact-number.contract.ts';
import { DISPLAYS } from './node-schema.ts';

const SERIES_FIELDS = {
  name: 'name',
  custom_name: 'custom_name',
};
const MATH_FIELDS = { math_property: 'math_property', math_hogql: 'math_hogql' };
const GROUP_FIELDS = { math_group_type_index: 'math_group_type_index' };

/** The maths that a kind of query supports, and the one that replaces others; null: none. */
export type CountedBy =
  { readonly maths: ReadonlySet<unknown>; readonly other: string | null } | 'all' | null;

/** The events and actions of old filters as series, in their order. */
function seriesOf(filters: Fields, counted: CountedBy): Fields[] {
  const entities = [
    ...listOf(filters['events']).map((entity) => ({ entity, isAction: false })),
    ...listOf(filters['actions']).map((entity) => ({ entity, isAction: true })),
  ];
  return entities
    .map(({ entity, isAction }, place) => ({ entity: entityOf(entity), isAction, place }))
    .map((one) => ({ ...one, order: numberOr(plain(one.entity['order']), one.place) }))
    .toSorted((a, b) => a.order - b.order || a.place - b.place)
    .map(({ entity, isAction }) => seriesNodeOf(entity, isAction, counted));
}

/** One event or action as a series. */
export function seriesNodeOf(entity: Fields, isAction: boolean, counted: CountedBy): Fields {
  const id = entity['id'];
  const properties = propertiesOf(entity['properties']);
  return {
    ...(isAction ? { kind: 'ActionsNode', id: plain(id) } : { kind: 'EventsNode', event: id ?? null }),
    ...renamed(entity, SERIES_FIELDS),
    ...mathOf(entity, counted),
    ...(properties === null ? {} : { properties: leavesOf(properties) }),
  };
}

/** Clients keep the math of trends in filters of kinds that count persons, where it has no effect. */
function mathOf(entity: Fields, counted: CountedBy): Fields {
  const math = entity['math'];
  if (counted === null || !isSet(math)) return {};
  if (counted !== 'all') {
    if (!counted.maths.has(math)) return counted.other === null ? {} : { math: counted.other };
    return {
      math,
      ...(math === 'unique_group' ? renamedPlain(entity, GROUP_FIELDS) : {}),
      ...(math === 'hogql' ? renamed(entity, { math_hogql: 'math_hogql' }) : {}),
    };
  }
  return {
    math,
    ...renamed(entity, { ...MATH_FIELDS, math_property_type: 'math_property_type' }),
    ...renamedPlain(entity, { ...GROUP_FIELDS, math_multiplier: 'math_multiplier' }),
  };
}

/** Very old filters name an event by its text alone. */
function entityOf(entity: unknown): Fields {
  return isFields(entity) ? entity : { id: entity };
}

/**
 * Property filters of old filters: a list or a group, as today; or an object of values by name, with the operator behind
 * two underscores (`$current_url__icontains`). Null when there are none.
 */
function propertiesOf(properties: unknown): readonly unknown[] | Fields | null {
  const list = Array.isArray(properties) || typeof properties === 'string' ? listOf(properties) : null;
  if (list !== null) return list.length === 0 ? null : list;
  if (!isFields(properties)) return null;
  if (Array.isArray(properties['values'])) return properties['values'].length === 0 ? null : properties;
  const leaves = Object.entries(properties).map(([name, value]) => leafOf(name, value));
  return leaves.length === 0 ? null : leaves;
}

function leafOf(name: string, value: unknown): Fields {
  const [key, operator] = keyAndOperator(name);
  return { key, operator, value, type: 'event' };
}

/** Splits a name at the first two underscores that only word characters follow. */
function keyAndOperator(name: string): [string, string] {
  let word = name.length;
  while (word > 0 && /\w/.test(name[word - 1]!)) word -= 1;
  const at = name.indexOf('__', Math.max(1, word - 2));
  const hasOperator = at > 0 && at + 2 >= word && at + 2 < name.length;
  return hasOperator ? [name.slice(0, at), name.slice(at + 2)] : [name, 'exact'];
}

/** A series takes a list; a group that all must hold is one. */
function leavesOf(properties: readonly unknown[] | Fields): readonly unknown[] | Fields {
  return isFields(properties) && properties['type'] !== 'OR' && isListOfLeaves(properties['values'])
    ? (properties['values'] as unknown[])
    : properties;
}

function isListOfLeaves(values: unknown): boolean {
  return Array.isArray(values) && values.every((value) => isFields(value) && !Array.isArray(value['values']));
}

function numberOr(value: unknown, other: number): number {
  return typeof value === 'number' ? value : other;
}

/** What all kinds of old filters share. */
export function sharedFields(filters: Fields): Fields {
  const properties = propertiesOf(filters['properties']);
  const dates = renamed(filters, { date_from: 'date_from', date_to: 'date_to' });
  return {
    ...within('dateRange', dates),
    ...(properties === null ? {} : { properties }),
    ...renamedPlain(filters, {
      filter_test_accounts: 'filterTestAccounts',
      sampling_factor: 'samplingFactor',
      aggregation_group_type_index: 'aggregation_group_type_index',
    }),
  };
}

/** The breakdown of old filters: one property, or several. */
export function breakdownFields(filters: Fields): Fields {
  const hasOne = isSet(filters['breakdown']);
  const several = listOf(filters['breakdowns']);
  if (!hasOne && several.length === 0) return {};
  return within('breakdownFilter', {
    ...(hasOne ? renamed(filters, { breakdown: 'breakdown', breakdown_type: 'breakdown_type' }) : {}),
    ...(several.length === 0 ? {} : { breakdowns: several }),
    ...renamedPlain(filters, {
      breakdown_limit: 'breakdown_limit',
      breakdown_group_type_index: 'breakdown_group_type_index',
      breakdown_normalize_url: 'breakdown_normalize_url',
      breakdown_histogram_bin_count: 'breakdown_histogram_bin_count',
      breakdown_hide_other_aggregation: 'breakdown_hide_other_aggregation',
    }),
  });
}

const INTERVAL = { interval: 'interval' };

export function seriesFields(filters: Fields, counted: CountedBy, most?: number): Fields {
  return {
    series: seriesOf(filters, counted).slice(0, most),
    ...renamed(filters, INTERVAL),
    ...sharedFields(filters),
  };
}

/** Old filters carry the display of other kinds along, such as that of a funnel. */
export function displayFields({ display }: Fields): Fields {
  return DISPLAYS.includes(display as never) ? { display } : {};
}

export function compareFields(filters: Fields): Fields {
  const isComparing = plain(filters['compare']) === true || isSet(filters['compare_to']);
  return isComparing
    ? within('compareFilter', { compare: true, ...renamed(filters, { compare_to: 'compare_to' }) })
    : {};
}
/** Old filters of an insight, or a part of them. */
export type Fields = Readonly<Record<string, unknown>>;

export function isFields(value: unknown): value is Fields {
  return isJsonObject(value);
}

/** An object as it is, and anything else as an empty one. */
export function fieldsOf(value: unknown): Fields {
  return isFields(value) ? value : {};
}

/** Old clients send null and the empty text for what they leave out. */
export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '';
}

/** The fields that are set, under their new names; `names`: old name -> new name. */
export function renamed(fields: Fields, names: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(names).flatMap(([old, name]) => (isSet(fields[old]) ? [[name, fields[old]]] : [])),
  );
}

/** An object under a name when it holds anything. */
export function within(name: string, fields: Fields): Fields {
  return Object.keys(fields).length === 0 ? {} : { [name]: fields };
}

/** Numbers and booleans that came out of an address are texts. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(value)) return Number(value);
  const word = value.toLowerCase();
  return word === 'true' ? true : word === 'false' ? false : value;
}

/** `renamed`, for fields that hold numbers, booleans or words. */
export function renamedPlain(fields: Fields, names: Readonly<Record<string, string>>): Fields {
  return Object.fromEntries(
    Object.entries(renamed(fields, names)).map(([name, value]) => [name, plain(value)]),
  );
}

/** A list, also as the JSON text of one; anything else is no list. */
export function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
