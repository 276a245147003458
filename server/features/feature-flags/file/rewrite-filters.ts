import { isJsonObject } from '../../../lib/exact-number.contract.ts';
import { groupTypeOfCondition } from '../../../conditions/index.ts';

type Json = Readonly<Record<string, unknown>>;

/** By what ids of a file are called in the project. Each throws a RefusedReference for what has no place there. */
export interface References {
  flag(idOrKey: unknown): number;
  cohort(id: unknown, name: unknown): number;
  groupTypeIndex(index: unknown): unknown;
}

/** Something that a flag or cohort of a file names is not there; `message` is a sentence. */
export class RefusedReference extends Error {}

/** Filters of a flag with the project's ids in place of the file's. */
export function rewriteFilters(filters: Json, references: References): Record<string, unknown> {
  const rewritten: Record<string, unknown> = { ...filters };
  rewriteIndex(rewritten, 'aggregation_group_type_index', references);
  for (const name of ['groups', 'super_groups', 'holdout_groups']) {
    const conditions = rewritten[name];
    if (Array.isArray(conditions))
      rewritten[name] = conditions.map((one: unknown) => rewriteCondition(one, references, rewritten));
  }
  return rewritten;
}

/** A tree of conditions of a cohort, or one of its leaves, the same way. */
export function rewriteTree(tree: unknown, references: References): unknown {
  if (!isJsonObject(tree)) return tree;
  const { values } = tree;
  if (!Array.isArray(values)) return rewriteProperty(tree, references, false);
  return { ...tree, values: values.map((one: unknown) => rewriteTree(one, references)) };
}

function rewriteCondition(condition: unknown, references: References, filters: Json): unknown {
  if (!isJsonObject(condition)) return condition;
  const rewritten: Record<string, unknown> = { ...condition };
  rewriteIndex(rewritten, 'aggregation_group_type_index', references);
  const isAboutGroups = groupTypeOfCondition(rewritten, filters) !== null;
  const { properties } = rewritten;
  if (Array.isArray(properties))
    rewritten['properties'] = properties.map((one: unknown) =>
      isJsonObject(one) ? rewriteProperty(one, references, isAboutGroups) : one,
    );
  return rewritten;
}

function rewriteProperty(property: Json, references: References, isAboutGroups: boolean): Json {
  // What SDKs receive, and what lists of flags show, is no part of a flag.
  const { dependency_chain: _, cohort_name: name, ...rest } = property;
  const type = rest['type'] ?? (isAboutGroups ? 'group' : 'person');
  const rewritten: Record<string, unknown> = { ...rest, type };
  rewriteIndex(rewritten, 'group_type_index', references);
  if (type === 'flag') rewritten['key'] = String(references.flag(rest['key']));
  if (type === 'cohort') rewritten['value'] = references.cohort(rest['value'], name);
  return rewritten;
}

function rewriteIndex(object: Record<string, unknown>, name: string, { groupTypeIndex }: References): void {
  if (object[name] !== null && object[name] !== undefined) object[name] = groupTypeIndex(object[name]);
}
