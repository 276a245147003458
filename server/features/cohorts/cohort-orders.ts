/** Orders about fixed cohorts that the server gives to the thread of the commits, through `store.service('capture').call`. */
export type CohortOrder =
  | { kind: 'cohorts.add'; projectId: number; cohortId: number; personIds: readonly number[] }
  | { kind: 'cohorts.remove'; projectId: number; cohortId: number; personId: number };

/** The order of one kind, as its handler takes it. */
export type CohortOrderOf<Kind extends CohortOrder['kind']> = Extract<CohortOrder, { kind: Kind }>;
