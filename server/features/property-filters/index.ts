export {
  compileFilter,
  eventPropertyText,
  filterSql,
  patternsOf,
  virtualPropertyText,
  type Bind,
  type CohortConditions,
  type CohortsOf,
  type CompiledFilter,
} from './compile-filter.ts';
export {
  cohortLeafOf,
  filterTree,
  leafOf,
  propertyFilters,
  type FilterGroup,
  type PropertyGroup,
  type PropertyLeaf,
} from './property-filters.contract.ts';
export { checkPatterns, readFilters, readPropertyValues } from './read-filters.ts';
