import { fail } from '../../errors.ts';
import type { CohortDefinition, CohortTree, FlagFilters, FlagProperty } from '../../conditions/index.ts';
import { idOf } from './check-property.ts';
import type { FlagNode } from './feature-flags.reads.ts';
import { isVirtual } from '../../hogql/tables/table.ts';

/** Whether an object may not be seen by the member who writes a flag. */
export type IsHidden = (id: number) => boolean;

/** Every property of every condition. */
export function propertiesOf({ groups }: FlagFilters): FlagProperty[] {
  return (groups ?? []).flatMap(({ properties }) => properties ?? []);
}

/** Ids of the cohorts that the conditions name, each once. */
export function cohortsNamedBy(filters: FlagFilters): number[] {
  const named = propertiesOf(filters).filter(({ type }) => type === 'cohort');
  return [...new Set(named.map(({ value }) => idOf(value)))];
}

/** Ids of the flags that the conditions name, each once, in order. */
export function flagsNamedBy(filters: FlagFilters): number[] {
  const named = propertiesOf(filters).filter(({ type }) => type === 'flag');
  return [...new Set(named.map(({ key }) => idOf(key)))].sort((a, b) => a - b);
}

/**
 * Checks what a flag is to depend on: live, active flags of the project, not itself, and no circle (management contract
 * 9.1). `nodes` holds the flags named and all that depend on others. Throws invalid_input at `filters`, without the keys of
 * flags that are hidden from the author.
 */
export function checkDependencies(
  flag: { readonly id: number | null; readonly key: string; readonly dependsOn: readonly number[] },
  nodes: ReadonlyMap<number, FlagNode>,
  isHidden: IsHidden = () => false,
): void {
  const keyOf = (id: number): string => (isHidden(id) ? '' : (nodes.get(id)?.key ?? ''));
  for (const id of flag.dependsOn) {
    if (id === flag.id) throw refused(`The flag '${flag.key}' cannot depend on itself.`);
    const node = nodes.get(id);
    if (node === undefined) throw refused(`The flag dependency ${id} does not exist.`);
    if (!node.active)
      throw refused(
        `The flag ${keyOf(id) === '' ? '' : `'${keyOf(id)}' `}(id ${id}) is disabled; a flag can only depend on active ones.`,
      );
  }
  const path = flag.id === null ? null : pathTo(flag.id, flag.dependsOn, nodes);
  if (path !== null) {
    const keys = [flag.key, ...path.map((id) => keyOf(id) || `id ${id}`), flag.key];
    throw refused(`Circular flag dependency: ${keys.join(' → ')}.`);
  }
}

/**
 * The flags on a path from some flags to one, without it; null when there is no path. Each flag is visited one time.
 */
function pathTo(
  wanted: number,
  from: readonly number[],
  nodes: ReadonlyMap<number, FlagNode>,
): number[] | null {
  const cameFrom = new Map<number, number | null>(from.map((id) => [id, null]));
  for (const [id] of cameFrom) {
    for (const next of nodes.get(id)?.dependsOn ?? []) {
      if (next === wanted) return wayBack(id, cameFrom);
      if (!cameFrom.has(next)) cameFrom.set(next, id);
    }
  }
  return null;
}

function wayBack(id: number, cameFrom: ReadonlyMap<number, number | null>): number[] {
  const way: number[] = [];
  for (let at: number | null = id; at !== null; at = cameFrom.get(at) ?? null) way.unshift(at);
  return way;
}

/**
 * Checks the cohorts that conditions name: they are there, and neither they nor cohorts within them look at what people
 * did, which flags cannot compute. Throws cohort_does_not_exist or behavioral_cohort_found at `filters`.
 */
export function checkCohorts(
  filters: FlagFilters,
  cohorts: readonly CohortDefinition[],
  isHidden: IsHidden = () => false,
): void {
  const waiting = cohortsNamedBy(filters);
  if (waiting.length === 0) return;
  const byId = new Map(cohorts.map((cohort) => [cohort.id, cohort]));
  const seen = new Set<number>();
  for (const id of waiting) {
    if (seen.has(id)) continue;
    seen.add(id);
    const cohort = byId.get(id);
    if (cohort === undefined)
      throw fail('cohort_does_not_exist', {
        attr: 'filters',
        detail: `Cohort ${id} does not exist.`,
      });
    const leaves = cohort.properties === null ? [] : leavesOf(cohort.properties);
    if (leaves.some(({ type, key }) => type === 'person' && isVirtual(String(key))))
      throw refused(
        `The cohort ${isHidden(id) ? `with the id ${id}` : `'${cohort.name}'`} has conditions on virtual properties, which only queries compute, and cannot be used in flags.`,
      );
    if (leaves.some(({ type }) => type === 'behavioral'))
      throw fail('behavioral_cohort_found', {
        attr: 'filters',
        detail: `The cohort ${isHidden(id) ? `with the id ${id}` : `'${cohort.name}'`} has behavioral conditions and cannot be used in flags.`,
      });
    for (const { type, value } of leaves) if (type === 'cohort') waiting.push(idOf(value));
  }
}

/** The comparisons of a cohort, however they are nested. */
export function leavesOf(tree: CohortTree): FlagProperty[] {
  return tree.values.flatMap((value) => ('values' in value ? leavesOf(value) : [value as FlagProperty]));
}

function refused(detail: string) {
  return fail('invalid_input', { attr: 'filters', detail });
}
