import { parseExactly } from '../../lib/exact-number.contract.ts';
import type { CohortTree } from './kinds/cohort-tree.contract.ts';
import type { CohortType } from './cohorts.contract.ts';

/** What people set of a cohort. */
export interface CohortFields {
  readonly name: string;
  readonly description: string;
  /** The old form of a rule, as it was sent. */
  readonly groups: readonly unknown[];
  /** The rule as it was sent, or what `groups` or `query` mean; null: none. */
  readonly filters: Readonly<Record<string, unknown>> | null;
  readonly query: Readonly<Record<string, unknown>> | null;
  readonly isStatic: boolean;
  /** As it was sent; null: follows from the rule. */
  readonly cohortType: CohortType | null;
  readonly deleted: boolean;
}

export interface Cohort extends CohortFields {
  readonly id: number;
  readonly projectId: number;
  /** Goes up with each change of the rule. */
  readonly version: number;
  /** ISO 8601, UTC: when the rule or the list was last set. */
  readonly lastCalculation: string;
  readonly lastErrorMessage: string | null;
  readonly createdBy: number | null;
  readonly createdAt: string;
}

/** A cohort as the database gives it; objects and lists are JSON text. */
export type CohortRow = Omit<Cohort, 'groups' | 'filters' | 'query'> & {
  groups: string;
  filters: string | null;
  query: string | null;
};

/** The columns of a CohortRow. */
export const COHORT = `id, project_id AS "projectId", name, description, legacy_groups AS "groups", filters, query,
  is_static AS "isStatic", cohort_type AS "cohortType", version, last_calculation AS "lastCalculation",
  last_error_message AS "lastErrorMessage", created_by AS "createdBy", created_at AS "createdAt", deleted`;

export function toCohort(row: CohortRow): Cohort {
  const parse = <T>(json: string | null): T | null => (json === null ? null : (parseExactly(json) as T));
  return {
    ...row,
    groups: parseExactly(row.groups) as unknown[],
    filters: parse(row.filters),
    query: parse(row.query),
  };
}

/** A cohort that is not deleted, as it is kept in memory. */
export interface KnownCohort {
  readonly id: number;
  readonly name: string;
  readonly isStatic: boolean;
  /** Null for a fixed list, and for one without a rule. */
  readonly tree: CohortTree | null;
  /** Other cohorts that its rule names. */
  readonly cohortIds: readonly number[];
  /** Actions that its rule names. */
  readonly actionIds: readonly number[];
  /** Conditions of its own rule. */
  readonly leaves: number;
  readonly hasBehaviour: boolean;
  /** Whether it is computed by queries alone, and not by flags: by what people did, or by virtual properties. */
  readonly isBeyondFlags: boolean;
  /** Who is in it changes by the passing of time alone. */
  readonly isTimed: boolean;
}
