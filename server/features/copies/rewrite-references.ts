import { isJsonObject } from '../../lib/exact-number.contract.ts';
import type { DefinitionKind } from './copy-state.ts';

/** What the JSON of a definition names another one by. */
export type ReferenceKind = Extract<
  DefinitionKind,
  'cohorts' | 'actions' | 'feature_flags' | 'insight_variables'
>;

/** Called with each ID that a definition names, returns the one to write in its place; null: it stays. */
export interface References {
  idOf(kind: ReferenceKind, id: string): string | null;
  groupTypeOf(index: number): number | null;
}

/** Members that have the index of a group type. */
const GROUP_INDEXES = new Set([
  'aggregation_group_type_index',
  'group_type_index',
  'math_group_type_index',
  'breakdown_group_type_index',
]);

/** Texts of HogQL in which a cohort or an action is named by its number. */
const IN_COHORT = /\b(cohort\s+)(\d+)\b/gi;
const MATCHES_ACTION = /\b(matchesAction\s*\(\s*)(\d+)\b/gi;

/** The same definition with the IDs of the other side. */
export function rewriteReferences<T>(value: T, references: References): T {
  return rewritten(value, references) as T;
}

function rewritten(value: unknown, references: References): unknown {
  if (Array.isArray(value)) return value.map((one) => rewritten(one, references));
  if (!isJsonObject(value)) return value;
  const object: Record<string, unknown> = {};
  for (const [name, one] of Object.entries(value)) {
    object[name] =
      GROUP_INDEXES.has(name) && typeof one === 'number'
        ? (references.groupTypeOf(one) ?? one)
        : rewritten(one, references);
  }
  return withIds(object, references);
}

function withIds(object: Record<string, unknown>, references: References): Record<string, unknown> {
  const { type, kind } = object;
  const id = (of: ReferenceKind, value: unknown): unknown => mapped(value, (one) => references.idOf(of, one));
  // Filters, conditions of flags and rules of cohorts.
  if (isCohortType(type) && 'value' in object) object['value'] = id('cohorts', object['value']);
  if (type === 'flag' && isId(object['key'])) object['key'] = id('feature_flags', object['key']);
  if (type === 'behavioral') {
    if (object['event_type'] === 'actions') object['key'] = id('actions', object['key']);
    if (object['seq_event_type'] === 'actions') object['seq_event'] = id('actions', object['seq_event']);
  }
  // Series of queries, and of the filters that were before queries.
  if ((kind === 'ActionsNode' || type === 'actions') && isId(object['id']))
    object['id'] = id('actions', object['id']);
  if (object['breakdown_type'] === 'cohort') object['breakdown'] = id('cohorts', object['breakdown']);
  if (isCohortType(type) && 'property' in object) object['property'] = id('cohorts', object['property']);
  if (typeof object['variableId'] === 'string')
    object['variableId'] = id('insight_variables', object['variableId']);
  if (isJsonObject(object['variables'])) object['variables'] = withVariables(object['variables'], references);
  // Texts of HogQL.
  if (kind === 'HogQLQuery' && typeof object['query'] === 'string')
    object['query'] = hogqlWith(object['query'], references);
  if (type === 'hogql' && typeof object['key'] === 'string')
    object['key'] = hogqlWith(object['key'], references);
  return object;
}

/** Values of variables are under the ID of the variable. */
function withVariables(variables: Record<string, unknown>, references: References): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(variables).map(([id, one]) => [references.idOf('insight_variables', id) ?? id, one]),
  );
}

function hogqlWith(text: string, references: References): string {
  const by =
    (kind: ReferenceKind) =>
    (whole: string, before: string, id: string): string => {
      const other = references.idOf(kind, id);
      return other === null ? whole : before + other;
    };
  return text.replaceAll(IN_COHORT, by('cohorts')).replaceAll(MATCHES_ACTION, by('actions'));
}

function isCohortType(type: unknown): boolean {
  return (
    type === 'cohort' ||
    type === 'static-cohort' ||
    type === 'precalculated-cohort' ||
    type === 'dynamic-cohort'
  );
}

function isId(value: unknown): boolean {
  return typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value));
}

/** An ID or a list of IDs; numbers stay numbers, and texts stay texts. */
function mapped(value: unknown, idOf: (id: string) => string | null): unknown {
  if (Array.isArray(value)) return value.map((one) => mapped(one, idOf));
  if (!isId(value)) return value;
  const other = idOf(String(value));
  if (other === null) return value;
  return typeof value === 'number' ? Number(other) : other;
}
