import { textOf } from '../property-text.ts';
import {
  cohortIdOf,
  compileMembership,
  compileValue,
  kindOf,
  objectsOf,
  type CompiledCohort,
  type CompiledLeaf,
  type CompiledTree,
} from './compile.ts';
import type { CohortDefinition, CohortTree, FlagProperty } from './definition.ts';
import { orderByDependency } from './order-by-dependency.ts';

/** Levels of groups, those of the cohorts inside included: evaluation goes down into them. */
const MAX_DEPTH = 100;

/** The cohorts of a project, ready for flags. */
export interface CompiledCohorts {
  /** The cohort, or a sentence that says why flags cannot reference it. */
  find(id: number): CompiledCohort | string;
}

/** A cohort before the cohorts that it references are compiled. */
interface Outline {
  readonly definition: CohortDefinition;
  readonly cohortIds: readonly number[];
  readonly depth: number;
  readonly problem: string | null;
}

/** Compiles cohorts, each after those that it references. Never throws. */
export function compileCohorts(definitions: readonly CohortDefinition[]): CompiledCohorts {
  const outlines = new Map(definitions.map((definition) => [definition.id, outlineOf(definition)]));
  const { order, circular, behind } = orderByDependency(
    new Map([...outlines].map(([id, { cohortIds }]) => [id, cohortIds])),
  );
  const compiled = new Map<number, CompiledCohort | string>();
  const depths = new Map<number, number>();
  const find = (id: number) => compiled.get(id) ?? `Cohort ${id} does not exist.`;
  for (const id of circular) {
    compiled.set(id, `${nameOf(outlines.get(id)!)} references itself through other cohorts.`);
  }
  for (const id of behind) {
    compiled.set(id, `${nameOf(outlines.get(id)!)} references cohorts with a circular reference.`);
  }
  for (const id of order) {
    const outline = outlines.get(id)!;
    const inside = outline.cohortIds.reduce((most, inner) => Math.max(most, depths.get(inner) ?? 0), 0);
    const depth = outline.depth + inside;
    depths.set(id, depth);
    compiled.set(id, compileCohort(outline, depth, find));
  }
  return { find };
}

function compileCohort(
  outline: Outline,
  depth: number,
  find: CompiledCohorts['find'],
): CompiledCohort | string {
  const { definition, cohortIds, problem } = outline;
  if (problem !== null) return problem;
  if (depth > MAX_DEPTH) return tooDeep(outline);
  const missing = cohortIds.map(find).find((found) => typeof found === 'string');
  if (typeof missing === 'string') return missing;
  const { id, name, isStatic, properties } = definition;
  const tree = isStatic || properties === null ? ALL_PERSONS : compileTree(properties, find);
  return { id, name, isStatic, tree };
}

/** A cohort without conditions contains all persons, as in SDKs. */
const ALL_PERSONS: CompiledTree = { kind: 'tree', isAnd: true, parts: [] };

function compileTree(tree: CohortTree, find: CompiledCohorts['find']): CompiledTree {
  return {
    kind: 'tree',
    isAnd: tree.type !== 'OR',
    parts: objectsOf(tree.values).map((part) =>
      isTree(part) ? compileTree(part, find) : compileLeaf(part, find),
    ),
  };
}

function compileLeaf(definition: FlagProperty, find: CompiledCohorts['find']): CompiledLeaf {
  if (kindOf(definition) === 'value') {
    return { kind: 'leaf', property: compileValue(definition), isNegated: definition.negation === true };
  }
  const cohort = find(cohortIdOf(definition)) as CompiledCohort;
  return { kind: 'leaf', property: compileMembership(definition, cohort), isNegated: false };
}

/** Looks at all leaves, without recursion: a tree may be deeper than the stack. */
function outlineOf(definition: CohortDefinition): Outline {
  const outline = { definition, cohortIds: [] as number[], depth: 0, problem: null as string | null };
  if (definition.isStatic || definition.properties === null) return outline;
  const open: { node: CohortTree | FlagProperty; depth: number }[] = [
    { node: definition.properties, depth: 1 },
  ];
  while (open.length > 0) {
    const { node, depth } = open.pop()!;
    outline.depth = Math.max(outline.depth, depth);
    if (isTree(node)) {
      if (depth > MAX_DEPTH) return { ...outline, problem: tooDeep(outline) };
      for (const part of objectsOf(node.values)) open.push({ node: part, depth: depth + 1 });
    } else if (kindOf(node) === 'cohort') {
      outline.cohortIds.push(cohortIdOf(node));
    } else if (kindOf(node) !== 'value') {
      outline.problem = problemOf(outline, node);
    }
  }
  return outline;
}

function problemOf(outline: { definition: CohortDefinition }, { type }: FlagProperty): string {
  if (type === 'behavioral')
    return `${nameOf(outline)} has behavioral conditions, which flags do not support.`;
  return `${nameOf(outline)} uses the type ${textOf(type)}, which flags do not support.`;
}

function tooDeep(outline: { definition: CohortDefinition }): string {
  return `${nameOf(outline)} is nested more than ${MAX_DEPTH} levels deep.`;
}

function nameOf({ definition }: { definition: CohortDefinition }): string {
  return `Cohort ${definition.id} (${definition.name})`;
}

function isTree(node: CohortTree | FlagProperty): node is CohortTree {
  return Array.isArray((node as CohortTree).values);
}
