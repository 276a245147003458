import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { compileComparison, PROPERTY_OPERATORS } from '../../conditions/index.ts';
import { takesPattern, type Scalar } from '../../conditions/operators.contract.ts';
import { checkPatterns, compileFilter, patternsOf } from '../property-filters/index.ts';
import {
  LEAF_FIELDS,
  LEAF_NOTES,
  type CohortTree,
  type CohortTreeLeaf,
  type PersonLeaf,
} from './kinds/cohort-tree.contract.ts';
import { columnType, isVirtual } from '../../hogql/tables/table.ts';
import { TABLES } from '../../hogql/tables/tables.ts';

const MAX_VALUES = 1_000;

/** Yields every leaf of a cohort's filters with its place, in the format of error fields. */
export function* leavesOf(
  tree: CohortTree,
  place = 'filters__properties',
): Generator<{ leaf: CohortTreeLeaf; place: string }> {
  for (const [at, part] of tree.values.entries()) {
    const inner = `${place}__values__${at}`;
    if ('values' in part) yield* leavesOf(part, inner);
    else yield { leaf: part, place: inner };
  }
}

type Json = Readonly<Record<string, unknown>>;

/**
 * Refuses fields of a new rule that nothing reads (amendment A-1). `filters` hold a tree. Throws invalid_input for the field.
 */
export function checkFields(filters: Json): void {
  for (const name of Object.keys(filters)) {
    if (name !== 'properties' && filters[name] !== null && filters[name] !== false)
      throw unread('filters', name);
  }
  checkNodeFields(filters['properties'] as Json, 'filters__properties');
}

function checkNodeFields(node: Json, place: string): void {
  const { values } = node;
  if (Array.isArray(values)) {
    for (const [at, part] of values.entries()) checkNodeFields(part as Json, `${place}__values__${at}`);
    return;
  }
  const fields = LEAF_FIELDS[(node['type'] ?? 'person') as CohortTreeLeaf['type']];
  for (const [name, value] of Object.entries(node)) {
    if (!fields.has(name) && !LEAF_NOTES.has(name) && value !== null) throw unread(place, name);
  }
}

function unread(place: string, name: string): Error {
  return fail('invalid_input', { attr: `${place}__${name}`, detail: `"${name}" is not supported yet.` });
}

/**
 * Refuses conditions that flags would never let match, and those that the database cannot read, so that no caller waits for
 * them. Throws invalid_input for the field.
 */
export async function checkLeaves(db: Db, tree: CohortTree): Promise<void> {
  for (const { leaf, place } of leavesOf(tree)) {
    if (leaf.type === 'person') {
      const problem = problemOf(leaf);
      if (problem !== null) {
        throw fail('invalid_input', { attr: `${place}__${problem.field}`, detail: problem.detail });
      }
      const patterns = takesPattern(leaf.operator) ? [String(leaf.value)] : [];
      await checkPatterns(db, patterns, `${place}__value`);
    } else if (leaf.type === 'behavioral') {
      await checkPatterns(db, patternsOf(leaf.event_filters), `${place}__event_filters`);
      // Throws for filters that do not fit events.
      compileFilter(leaf.event_filters, {
        rows: 'events',
        alias: 'e',
        projectId: 0,
        now: 0,
        timezone: 'UTC',
      });
    }
  }
}

function problemOf({
  key,
  operator,
  value,
}: PersonLeaf): { field: 'key' | 'operator' | 'value'; detail: string } | null {
  if (isVirtual(key) && columnType(TABLES.get('persons')!, key) === undefined)
    return { field: 'key', detail: `There is no virtual property "${key.slice(0, 80)}".` };
  if (!PROPERTY_OPERATORS.includes(operator)) {
    // Names of other filters for these operators.
    return { field: 'operator', detail: 'Person properties support exact, is_not, gte and lte instead.' };
  }
  const wrong = (detail: string) => ({ field: 'value' as const, detail });
  if (Array.isArray(value)) {
    if (takesPattern(operator)) return wrong(`The operator ${operator} requires one regular expression.`);
    if (value.length > MAX_VALUES) return wrong(`At most ${MAX_VALUES} values are allowed.`);
  }
  const { problem } = compileComparison(operator, value satisfies Scalar | Scalar[] | null | undefined);
  return problem === null ? null : wrong(problem);
}
