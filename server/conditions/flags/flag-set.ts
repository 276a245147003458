import { textOf } from '../property-text.ts';
import { compileCohorts, type CompiledCohorts } from './compile-cohorts.ts';
import {
  cohortIdOf,
  compileFlag,
  kindOf,
  propertiesOf,
  type CompiledCohort,
  type CompiledFlag,
  type CompiledTree,
  type FlagParts,
} from './compile.ts';
import type { CohortDefinition, FlagDefinition } from './definition.ts';
import { orderByDependency } from './order-by-dependency.ts';

/** The flags of a project, ready to be evaluated; compiled again when a flag or a cohort changes. */
export interface FlagSet {
  /** In the order of their definitions. */
  readonly flags: readonly CompiledFlag[];
  find(key: string): CompiledFlag | null;
  /** Why a flag can never be computed, by its key: such flags are absent from `flags`. */
  readonly errors: ReadonlyMap<string, string>;
  /** Static cohorts that some flag references, by id. */
  readonly staticCohorts: readonly number[];
  /**
   * Keys of the flags that a flag (by id or key) depends on, each after those it needs, the flag itself last; null when
   * there is none of that name or it can never be computed. SDKs evaluate dependencies in this order.
   */
  dependencyChain(idOrKey: string | number): readonly string[] | null;
}

/** Compiles flags and the cohorts they may refer to. Never throws: what cannot be computed is in `errors`. */
export function createFlagSet(
  definitions: readonly FlagDefinition[],
  cohortDefinitions: readonly CohortDefinition[],
): FlagSet {
  const cohorts = compileCohorts(cohortDefinitions);
  const named = nameFlags(definitions);
  const errors = new Map<string, string>();
  for (const definition of definitions) {
    const problem = cohortProblem(definition, cohorts);
    if (problem !== null) errors.set(definition.key, problem);
  }
  const order = orderFlags(definitions, named, errors);
  const compiled = new Map<string, CompiledFlag>();
  const parts: FlagParts = {
    flagOf: (idOrKey) => compiled.get(named(idOrKey) ?? '') ?? null,
    cohortOf: (id) => cohorts.find(id) as CompiledCohort,
  };
  for (const { definition, needs } of order) {
    const broken = needs.find((key) => errors.has(key));
    if (broken !== undefined) {
      errors.set(definition.key, `It depends on the flag ${broken}, which cannot be evaluated.`);
    } else if (!errors.has(definition.key)) {
      compiled.set(definition.key, compileFlag(definition, parts));
    }
  }
  const flags = definitions.flatMap(({ key }) => compiled.get(key) ?? []);
  return {
    flags,
    find: (key) => compiled.get(key) ?? null,
    errors,
    staticCohorts: staticCohortsOf(flags),
    dependencyChain: (idOrKey) => chainOf(parts.flagOf(idOrKey)),
  };
}

type NameOfFlag = (idOrKey: string | number) => string | null;

/** Other flags are named by their id, as PostHog stores it, or by their key. */
function nameFlags(definitions: readonly FlagDefinition[]): NameOfFlag {
  const byId = new Map(definitions.map(({ id, key }) => [String(id), key]));
  const keys = new Set(definitions.map(({ key }) => key));
  return (idOrKey) => {
    const name = textOf(idOrKey);
    return byId.get(name) ?? (keys.has(name) ? name : null);
  };
}

/** A cohort that cannot be computed takes the flag with it (F-17). */
function cohortProblem(definition: FlagDefinition, cohorts: CompiledCohorts): string | null {
  const found = propertiesOf(definition)
    .filter((property) => kindOf(property) === 'cohort')
    .map((property) => cohorts.find(cohortIdOf(property)))
    .find((cohort) => typeof cohort === 'string');
  return typeof found === 'string' ? found : null;
}

/** Each flag after those that it depends on; flags in a circle, and behind one, become errors (F-16). */
function orderFlags(
  definitions: readonly FlagDefinition[],
  named: NameOfFlag,
  errors: Map<string, string>,
): { definition: FlagDefinition; needs: readonly string[] }[] {
  const byKey = new Map(definitions.map((definition) => [definition.key, definition]));
  const needs = new Map(
    [...byKey].map(([key, definition]) => [key, dependencyKeys(definition, named)] as const),
  );
  const { order, circular, behind } = orderByDependency(needs);
  for (const key of circular) errors.set(key, circleProblem(key, circular, needs));
  for (const key of behind) errors.set(key, circleProblem(key, new Set(), needs));
  return order.map((key) => ({ definition: byKey.get(key)!, needs: needs.get(key)! }));
}

function dependencyKeys(definition: FlagDefinition, named: NameOfFlag): string[] {
  return propertiesOf(definition)
    .filter((property) => kindOf(property) === 'flag')
    .flatMap(({ key }) => named(key) ?? []);
}

/** A circle of more flags is not searched for the way back. */
const MAX_CIRCLE = 50;

function circleProblem(
  key: string,
  circular: ReadonlySet<string>,
  needs: ReadonlyMap<string, readonly string[]>,
): string {
  const way = circular.size > 0 && circular.size <= MAX_CIRCLE ? wayBack(key, circular, needs) : null;
  if (way === null) return 'It depends on flags with a circular dependency.';
  return way.length === 0 ? 'It depends on itself.' : `It depends on itself through ${way.join(', ')}.`;
}

/** The flags on the shortest way from a flag to itself; null when there is none. */
function wayBack(
  start: string,
  circular: ReadonlySet<string>,
  needs: ReadonlyMap<string, readonly string[]>,
): string[] | null {
  const ways = new Map<string, readonly string[]>([[start, []]]);
  for (const [key, way] of ways) {
    for (const need of needs.get(key)!) {
      if (need === start) return [...way, ...(key === start ? [] : [key])];
      if (circular.has(need) && !ways.has(need)) ways.set(need, key === start ? [] : [...way, key]);
    }
  }
  return null;
}

/** Static cohorts of all conditions, also inside other cohorts. */
function staticCohortsOf(flags: readonly CompiledFlag[]): number[] {
  const seen = new Set<CompiledCohort>();
  const open = flags.flatMap(({ conditions }) =>
    conditions.flatMap(({ properties }) =>
      properties.flatMap((property) => (property.kind === 'cohort' ? [property.cohort] : [])),
    ),
  );
  while (open.length > 0) {
    const cohort = open.pop()!;
    if (seen.has(cohort)) continue;
    seen.add(cohort);
    for (const inner of cohortsIn(cohort.tree)) open.push(inner);
  }
  return [...seen].filter(({ isStatic }) => isStatic).map(({ id }) => id);
}

function cohortsIn({ parts }: CompiledTree): CompiledCohort[] {
  return parts.flatMap((part) => {
    if (part.kind === 'tree') return cohortsIn(part);
    return part.property.kind === 'cohort' ? [part.property.cohort] : [];
  });
}

/** The flag after all that it needs, without recursion. */
function chainOf(flag: CompiledFlag | null): string[] | null {
  if (flag === null) return null;
  const done = new Set<CompiledFlag>();
  const open = [flag];
  while (open.length > 0) {
    const top = open.at(-1)!;
    const missing = done.has(top) ? [] : top.dependencies.filter((one) => !done.has(one));
    if (missing.length > 0) {
      for (const one of missing) open.push(one);
    } else {
      done.add(top);
      open.pop();
    }
  }
  return [...done].map(({ definition }) => definition.key);
}
