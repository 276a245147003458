import type { FilterSources } from '../../components/filter-suggestions.ts';

/** The properties for conditions of a cohort, besides behavior. */
export const CONDITION_SOURCES: FilterSources = { persons: true, cohorts: true };
