export {
  compileFilter,
  eventPropertyText,
  filterSql,
  patternsOf,
  propertyText,
  type Bind,
  type CohortConditions,
  type CohortsOf,
  type CompiledFilter,
  type FilterContext,
} from './compile-filter.ts';
export {
  cohortLeafOf,
  filterTree,
  leafOf,
  propertyFilters,
  type FilterGroup,
  type FilterNode,
  type PropertyGroup,
  type PropertyLeaf,
} from './property-filters.contract.ts';
export { checkPatterns, readFilters, readPropertyValues } from './read-filters.ts';
