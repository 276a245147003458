import { fail } from '../../errors.ts';
import type { CohortDefinition } from '../../conditions/index.ts';
import type { KnownCohort } from './cohort-row.ts';

/** Cohorts inside cohorts inside cohorts. */
const MAX_NESTED = 10;
/** Conditions of a rule with those of all cohorts that it names, each as often as it is named. */
const MAX_CONDITIONS = 2_000;
/** Conditions in one statement about many cohorts. */
const CONDITIONS_AT_ONCE = 400;

/** The live cohorts of all projects, in memory. */
export interface CohortBook {
  /** A copy of what this one has of the project. */
  copy(projectId: number): CohortBook;
  /** Takes the place of everything. */
  fill(cohorts: readonly { projectId: number; cohort: KnownCohort }[]): void;
  put(projectId: number, cohort: KnownCohort): void;
  remove(projectId: number, id: number): void;
  find(projectId: number, id: number): KnownCohort | null;
  /** By id. */
  list(projectId: number): readonly KnownCohort[];
  /** As evaluation reads them; the same list until one changes. */
  definitions(projectId: number): readonly CohortDefinition[];
  /** The cohort and all that its rule leads to, each once; those that are not there are left out. */
  within(projectId: number, id: number): KnownCohort[];
  /** The list in parts, each small enough for one statement. */
  pieces(projectId: number, ids: readonly number[]): Generator<number[]>;
  /** Those whose rules name it. */
  naming(projectId: number, id: number): KnownCohort[];
  /** The cohort, and all whose rules lead to it. */
  leadingTo(projectId: number, id: number): Set<number>;
  /**
   * Throws for a rule that names a cohort that is not there, that leads back to itself, or that becomes too large, also
   * inside the cohorts that name it; `cohort` is as it shall be.
   */
  check(projectId: number, cohort: KnownCohort): void;
}

export function createCohortBook(): CohortBook {
  const projects = new Map<number, Map<number, KnownCohort>>();
  const definitions = new Map<number, readonly CohortDefinition[]>();

  function of(projectId: number): Map<number, KnownCohort> {
    let cohorts = projects.get(projectId);
    if (cohorts === undefined) projects.set(projectId, (cohorts = new Map()));
    return cohorts;
  }

  const list = (projectId: number): readonly KnownCohort[] =>
    [...(projects.get(projectId)?.values() ?? [])].sort((a, b) => a.id - b.id);

  function find(projectId: number, id: number): KnownCohort | null {
    return projects.get(projectId)?.get(id) ?? null;
  }

  function put(projectId: number, cohort: KnownCohort): void {
    of(projectId).set(cohort.id, cohort);
    definitions.delete(projectId);
  }

  const naming = (projectId: number, id: number): KnownCohort[] =>
    list(projectId).filter(({ cohortIds }) => cohortIds.includes(id));

  function leadingTo(projectId: number, id: number): Set<number> {
    const found = new Set([id]);
    for (const next of found) for (const { id: other } of naming(projectId, next)) found.add(other);
    return found;
  }

  return {
    copy(projectId) {
      const other = createCohortBook();
      other.fill(list(projectId).map((cohort) => ({ projectId, cohort })));
      return other;
    },
    fill(cohorts) {
      projects.clear();
      definitions.clear();
      for (const { projectId, cohort } of cohorts) put(projectId, cohort);
    },
    put,
    remove(projectId, id) {
      of(projectId).delete(id);
      definitions.delete(projectId);
    },
    find,
    list,
    definitions(projectId) {
      let known = definitions.get(projectId);
      if (known === undefined) {
        known = list(projectId).map(({ id, name, isStatic, tree }) => ({
          id,
          name,
          isStatic,
          properties: tree,
        }));
        definitions.set(projectId, known);
      }
      return known;
    },
    within(projectId, id) {
      const found = new Map<number, KnownCohort>();
      const open = [id];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        const cohort = found.has(next) ? null : find(projectId, next);
        if (cohort === null) continue;
        found.set(next, cohort);
        open.push(...cohort.cohortIds);
      }
      return [...found.values()];
    },
    *pieces(projectId, ids) {
      let piece: number[] = [];
      let size = 0;
      for (const id of ids) {
        const own = this.within(projectId, id).reduce((sum, { leaves }) => sum + leaves, 1);
        if (piece.length > 0 && size + own > CONDITIONS_AT_ONCE) {
          yield piece;
          piece = [];
          size = 0;
        }
        piece.push(id);
        size += own;
      }
      if (piece.length > 0) yield piece;
    },
    naming,
    leadingTo,
    check(projectId, cohort) {
      const known = (id: number): KnownCohort | null => (id === cohort.id ? cohort : find(projectId, id));
      const missing = cohort.cohortIds.find((id) => known(id) === null);
      if (missing !== undefined) {
        throw fail('does_not_exist', {
          attr: 'filters',
          detail: `This project has no cohort with the id ${missing}.`,
        });
      }
      checkShape(cohort, known);
      for (const id of leadingTo(projectId, cohort.id)) checkShape(known(id)!, known);
    },
  };
}

interface Shape {
  nested: number;
  conditions: number;
}

/** Visits each cohort one time, however often it is referenced. */
function checkShape(cohort: KnownCohort, known: (id: number) => KnownCohort | null): void {
  const shapes = new Map<number, Shape | 'open'>();
  const shapeOf = (one: KnownCohort): Shape => {
    const seen = shapes.get(one.id);
    if (seen === 'open')
      throw refusal('A cohort cannot reference itself, directly or through other cohorts.');
    if (seen !== undefined) return seen;
    shapes.set(one.id, 'open');
    const inside = one.cohortIds.map(known).flatMap((other) => (other === null ? [] : [shapeOf(other)]));
    const shape = {
      nested: 1 + Math.max(0, ...inside.map(({ nested }) => nested)),
      conditions: one.leaves + inside.reduce((sum, { conditions }) => sum + conditions, 0),
    };
    shapes.set(one.id, shape);
    if (shape.nested > MAX_NESTED) {
      throw refusal(`Cohorts can be nested up to ${MAX_NESTED} levels; cohort ${one.id} exceeds this limit.`);
    }
    if (shape.conditions > MAX_CONDITIONS) {
      throw refusal(
        `A cohort can have up to ${MAX_CONDITIONS} conditions, including those of referenced cohorts; cohort ${one.id} exceeds this limit.`,
      );
    }
    return shape;
  };
  shapeOf(cohort);
}

function refusal(detail: string): Error {
  return fail('invalid_input', { attr: 'filters', detail });
}
