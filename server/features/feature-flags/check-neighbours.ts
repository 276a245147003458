import type { Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { listFeaturesOfFlags, listFlagNodes, type FlagNode } from './feature-flags.reads.ts';
import { checkDependencies, type IsHidden } from './flag-dependencies.ts';
import type { Flag, FlagFields } from './flag-row.ts';

/** One statement, and none for a flag that depends on nothing. */
export async function nodesFor(
  tx: Statements,
  projectId: number,
  dependsOn: readonly number[],
): Promise<ReadonlyMap<number, FlagNode>> {
  return dependsOn.length === 0 ? new Map() : listFlagNodes(tx, projectId, dependsOn);
}

/**
 * Checks what a flag needs of others, and others of it, before it is changed (management contract 9.1). Throws invalid_input:
 * at `filters` when they are what is wrong, else without a field; keys of flags that are hidden from the author are not in it.
 */
export async function checkNeighbours(
  tx: Statements,
  before: Flag,
  after: FlagFields & { readonly dependsOn: readonly number[] },
  isNewlyDependent: boolean,
  isHidden: IsHidden,
): Promise<void> {
  const { id, projectId } = before;
  const isGone = !before.deleted && after.deleted;
  const isOff = before.active && !after.active;
  const isOn = !before.active && after.active;
  if (isGone || isOff) {
    const dependents = dependentsOf(id, [...(await listFlagNodes(tx, projectId, [])).values()]);
    if (dependents.length > 0)
      throw fail('invalid_input', {
        detail: `Other flags depend on this one: ${namesOf(dependents, isHidden)}. Change those first.`,
      });
  }
  const isAboutGroups = (after.filters.aggregation_group_type_index ?? null) !== null;
  if (isGone || (isNewlyDependent && isAboutGroups)) await checkEarlyAccess(tx, before, isGone);
  if (after.deleted || (!isNewlyDependent && !isOn)) return;
  const nodes = await nodesFor(tx, projectId, after.dependsOn);
  if (isOn && !isNewlyDependent) checkEnabled(after.dependsOn, nodes, isHidden);
  else checkDependencies({ id, key: after.key, dependsOn: after.dependsOn }, nodes, isHidden);
}

async function checkEarlyAccess(tx: Statements, flag: Flag, isGone: boolean): Promise<void> {
  const features = await listFeaturesOfFlags(tx, flag.projectId, [flag.id]);
  if (!features.has(flag.id)) return;
  if (isGone)
    throw fail('invalid_input', {
      detail: 'An early access feature uses this flag. Delete the feature before the flag.',
    });
  throw fail('invalid_input', {
    attr: 'filters',
    detail: 'A flag of an early access feature cannot match by group.',
  });
}

function checkEnabled(
  dependsOn: readonly number[],
  nodes: ReadonlyMap<number, FlagNode>,
  isHidden: IsHidden,
): void {
  const missing = dependsOn.flatMap((id) =>
    nodes.get(id)?.active === true ? [] : [nodes.get(id) ?? { id }],
  );
  if (missing.length === 0) return;
  throw fail('invalid_input', {
    detail: `This flag depends on flags that are disabled or deleted: ${namesOf(missing, isHidden)}. Enable those first.`,
  });
}

/** Active flags that name a flag in their conditions, by key. */
export function dependentsOf<N extends FlagNode>(id: number, nodes: readonly N[]): N[] {
  return nodes
    .filter((node) => node.active && node.id !== id && node.dependsOn.includes(id))
    .toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

const MOST_NAMED = 5;

function namesOf(
  nodes: readonly { readonly id: number; readonly key?: string }[],
  isHidden: IsHidden,
): string {
  const names = nodes
    .slice(0, MOST_NAMED)
    .map(({ key, id }) => (key === undefined || isHidden(id) ? `id ${id}` : `${key} (id ${id})`));
  const more = nodes.length - names.length;
  return names.join(', ') + (more > 0 ? ` and ${more} more` : '');
}
