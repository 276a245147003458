export {
  compileFilter,
  eventPropertyText,
  filterSql,
  propertyText,
  type CohortConditions,
  type CohortsOf,
  type CompiledFilter,
  type FilterContext,
} from './compile-filter.ts';
export { ELEMENT_PATTERN, readSelector } from './element-selector.ts';
export { ELEMENT_KEYS, ELEMENT_TEXTS } from './element-text.ts';
export { readDate, readFilterDate, readNumber, textOf } from './filter-value.ts';
export { holdsForAbsent, isEquality, negated, ORDER_SIGNS, type Comparison } from './compare-text.ts';
export type { Bind } from './bind.ts';
export { compareVersions, isSemverOperator, versionBounds } from './compare-versions.ts';
export {
  cohortLeafOf,
  filterTree,
  leafOf,
  OPERATORS,
  propertyFilters,
  type FilterGroup,
  type FilterNode,
  type Operator,
  type PropertyGroup,
  type PropertyLeaf,
  type Scalar,
} from './property-filters.contract.ts';
export { checkPatterns, readFilters, readPropertyValues } from './read-filters.ts';
