import type { FilterSources } from '../../components/filter-suggestions.ts';

/** What a condition of a cohort may look at, besides what somebody did. */
export const CONDITION_SOURCES: FilterSources = { persons: true, cohorts: true };
