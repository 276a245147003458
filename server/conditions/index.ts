export { compilePattern } from './evaluate.ts';
export { compileComparison, PROPERTY_OPERATORS, type Comparison } from './operators.ts';
export type { CompiledFlag } from './flags/compile.ts';
export {
  groupTypeOfCondition,
  type CohortDefinition,
  type CohortTree,
  type FlagCondition,
  type FlagDefinition,
  type FlagFilters,
  type FlagProperty,
  type FlagVariant,
  type Properties,
} from './flags/definition.ts';
export { evaluateFlag } from './flags/evaluate.ts';
export { createFlagSet, type FlagSet } from './flags/flag-set.ts';
export { reasonOf, type FlagEvaluation, type FlagReason, type ReasonCode } from './flags/result.ts';
export { flagHash, NO_PROPERTIES, type FlagContext, type PropertyLayers } from './flags/subject.ts';
export {
  flagTraceSchema,
  propertySource,
  type FlagTrace,
  type PropertyTrace,
} from './flags/trace.contract.ts';
