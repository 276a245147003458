export { compileComparison, PROPERTY_OPERATORS, type Comparison } from './comparison.ts';
export { compilePattern } from './compare-pattern.ts';
export type { CompiledFlag } from './compiled-flag.ts';
export { groupTypeOfCondition } from './condition-group-type.ts';
export { evaluateFlag } from './evaluate-flag.ts';
export { NO_PROPERTIES, type FlagContext, type PropertyLayers } from './flag-context.ts';
export type {
  CohortDefinition,
  CohortTree,
  FlagCondition,
  FlagDefinition,
  FlagFilters,
  FlagProperty,
  FlagVariant,
  Properties,
} from './flag-definition.ts';
export { reasonOf, type FlagEvaluation, type FlagReason, type ReasonCode } from './flag-result.ts';
export { createFlagSet, type FlagSet } from './flag-set.ts';
export {
  flagTraceSchema,
  propertySource,
  type FlagTrace,
  type PropertyTrace,
} from './flag-evaluation.contract.ts';
export { momentBefore, readRelativeDate, type RelativeDate } from './relative-date.ts';
