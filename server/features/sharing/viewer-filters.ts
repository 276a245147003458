import { fail } from '../../errors.ts';
import type { DashboardJson } from '../dashboards/index.ts';
import type { InsightVariable } from '../insight-variables/index.ts';
import { sourceOf, type StoredQuery } from '../query/index.ts';
import { hideEmails } from './hide-emails.ts';
import {
  viewerAsk,
  type ViewerAsk,
  type ViewerChange,
  type ViewerFilters,
  type ViewerOperator,
} from './sharing.contract.ts';

type Json = Readonly<Record<string, unknown>>;
type Condition = ViewerFilters['conditions'][number];
type Variable = ViewerFilters['variables'][number];

/** A variable of the project. */
export type KnownVariable = Pick<
  InsightVariable,
  'id' | 'name' | 'type' | 'values' | 'codeName' | 'defaultValue'
>;

/** What is laid over a dashboard for one viewer, and what the viewer may change of it. */
export interface ViewerView {
  readonly offer: ViewerFilters;
  /** null: it is shown as it is. */
  readonly overrides: { readonly filters: Json; readonly variables: Json } | null;
}

const MAX_ASKED = 8_000;
const NUMERIC: ReadonlySet<string> = new Set(['gt', 'gte', 'lt', 'lte']);
const VALUELESS: ReadonlySet<string> = new Set(['is_set', 'is_not_set']);
const EQUALITY: ReadonlySet<string> = new Set(['exact', 'is_not']);
const TYPES: ReadonlySet<unknown> = new Set(['event', 'person', 'group']);

/**
 * What a viewer sees with `asked`, the `filters` of the address: other dates, and other values for those conditions
 * and variables that the dashboard has itself. Nothing else of a query can be said, and no person can be found by
 * guessing an e-mail address. Throws invalid_input.
 */
export function viewerView(
  dashboard: DashboardJson,
  known: readonly KnownVariable[],
  asked: string,
): ViewerView {
  const ask = asked === '' ? {} : readAsk(asked);
  const stored = dashboard.filters['properties'];
  const list = Array.isArray(stored) ? (stored as unknown[]) : [];
  const conditions = conditionsOf(list);
  const variables = variablesOf(dashboard, known);
  const changes = new Map((ask.conditions ?? []).map((change) => [change.at, change]));
  for (const change of changes.values()) checkChange(change, conditions);
  const values = new Map(Object.entries(ask.variables ?? {}));
  for (const [id, value] of values) checkVariable(id, value, variables);

  const offer: ViewerFilters = {
    asked: ask,
    conditions: conditions.map((condition) => changed(condition, changes.get(condition.at))),
    variables: variables.map((one) => (values.has(one.id) ? { ...one, value: values.get(one.id) } : one)),
  };
  if (Object.keys(ask).length === 0) return { offer, overrides: null };
  const properties = list.flatMap((condition, at) => {
    const change = changes.get(at);
    if (change === undefined) return [condition];
    if ('off' in change) return [];
    const { value: _, ...rest } = condition as Json;
    const { operator, value } = change;
    return [{ ...rest, operator, ...(value === undefined ? {} : { value }) }];
  });
  const given = [...values].map(([id, value]): [string, unknown] => {
    const { codeName } = known.find((one) => one.id === id)!;
    return [id, { code_name: codeName, variableId: id, value }];
  });
  return {
    offer,
    overrides: {
      filters: {
        ...(ask.date_from === undefined ? {} : { date_from: ask.date_from, date_to: ask.date_to ?? null }),
        ...(changes.size === 0 ? {} : { properties }),
      },
      variables: { ...dashboard.variables, ...Object.fromEntries(given) },
    },
  };
}

function readAsk(text: string): ViewerAsk {
  const parsed = viewerAsk.safeParse(text.length > MAX_ASKED ? null : parsedJson(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw refused([issue?.path.join('.'), issue?.message].filter(Boolean).join(': '));
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Conditions whose values may be public and may be guessed; the others stay as their owner has set them. */
function conditionsOf(list: readonly unknown[]): Condition[] {
  return list.flatMap((one, at): Condition[] => {
    const { type, key, operator = 'exact', value } = (one ?? {}) as Json;
    if (!TYPES.has(type) || typeof key !== 'string' || /e-?mail/i.test(key)) return [];
    const parsed = viewerAsk.safeParse({ conditions: [{ at, key, operator, value: value ?? undefined }] });
    if (!parsed.success || holdsEmail(value)) return [];
    const own = { at, type: type as string, key, operator: operator as ViewerOperator, off: false };
    return [
      { ...own, ...(value === undefined || value === null ? {} : { value: value as Condition['value'] }) },
    ];
  });
}

/** Variables in the SQL of a tile; a text can be anything in SQL, so it stays as it is. */
function variablesOf({ tiles, variables }: DashboardJson, known: readonly KnownVariable[]): Variable[] {
  const asked = new Set(
    tiles.flatMap(({ insight }) => {
      const query = (insight as unknown as { query?: StoredQuery | null } | null)?.query;
      const { variables: named } = query ? (sourceOf(query) as { variables?: Json | null }) : {};
      return Object.keys(named ?? {});
    }),
  );
  return known.flatMap(({ id, name, type, values, defaultValue }): Variable[] => {
    if (!asked.has(id) || type === 'String') return [];
    const value = (variables[id] as { value?: unknown } | undefined)?.value ?? defaultValue;
    if (holdsEmail(value) || holdsEmail(values)) return [];
    return [{ id, name, type, value, values: type === 'List' ? [...(values ?? [])] : null }];
  });
}

function checkChange(change: ViewerChange, conditions: readonly Condition[]): void {
  const condition = conditions.find(({ at, key }) => at === change.at && key === change.key);
  if (condition === undefined) throw refused('This filter does not exist or cannot be changed.');
  if ('off' in change) return;
  const { operator, value } = change;
  const values = value === undefined ? [] : [value].flat();
  if (VALUELESS.has(operator) !== (values.length === 0)) throw refused('A filter requires values.');
  if (NUMERIC.has(operator) && (Array.isArray(value) || !values.every(isNumeric)))
    throw refused('This operator requires a number.');
  if (EQUALITY.has(operator) && holdsEmail(value))
    throw refused('Filters on email addresses cannot be changed.');
}

function checkVariable(id: string, value: unknown, variables: readonly Variable[]): void {
  const variable = variables.find((one) => one.id === id);
  if (variable === undefined) throw refused('This variable does not exist or cannot be set.');
  const { type, values } = variable;
  const fits =
    type === 'List'
      ? values!.some((one) => one === value)
      : type === 'Boolean'
        ? typeof value === 'boolean'
        : type === 'Number'
          ? typeof value === 'number'
          : typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value);
  if (!fits) throw refused(`This value is not valid for ${variable.name}.`);
}

function changed(condition: Condition, change: ViewerChange | undefined): Condition {
  if (change === undefined) return condition;
  if ('off' in change) return { ...condition, off: true };
  const { at, type, key } = condition;
  const { operator, value } = change;
  return { at, type, key, operator, off: false, ...(value === undefined ? {} : { value }) };
}

function isNumeric(value: unknown): boolean {
  return (
    typeof value === 'number' || (typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,10})?$/.test(value))
  );
}

function holdsEmail(value: unknown): boolean {
  const text = JSON.stringify(value ?? null);
  return text.includes('@') || hideEmails(text) !== text;
}

function refused(detail: string): Error {
  return fail('invalid_input', { attr: 'filters', detail });
}
