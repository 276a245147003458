export {
  compileFilter,
  eventPropertyText,
  propertyText,
  type CompiledFilter,
  type FilterContext,
} from './compile-filter.ts';
export type { Bind } from './compare-text.ts';
export { propertyFilters, type PropertyGroup, type PropertyLeaf } from './property-filters.contract.ts';
export { checkPatterns, readFilters, readPropertyValues } from './read-filters.ts';
