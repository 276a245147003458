import type { PropertyTrace } from '../../../server/conditions/flags/trace.contract.ts';
import { textOf } from '../../ui/event-labels.ts';
import { relationOf, valueLabelOf } from '../../ui/property-filter.ts';

/** The names of flags and cohorts, for which a trace has only ids. */
export interface LadderNames {
  flag(id: string): string | undefined;
  cohort(id: string): string | undefined;
}

/** One line of expected value, actual value and source. */
export interface Check {
  property: string;
  wanted: string;
  /** `null` when nothing was known. */
  got: string | null;
  from: string;
  isMatched: boolean;
  note: string | null;
  /** The indentation: the conditions of a cohort are nested below it. */
  depth: number;
}

const SOURCES: Readonly<Record<PropertyTrace['source'], string>> = {
  request: 'request',
  geoip: 'address',
  stored: 'stored',
  identity: 'the ID',
  initial: 'request',
  cohort: 'cohort',
  flag: 'flag',
  none: '(none)',
};

/** The lines of a condition set: each property, and below a cohort its own conditions. */
export function checksOf(properties: readonly PropertyTrace[], names: LadderNames, depth = 0): Check[] {
  return properties.flatMap((property) => [
    checkOf(property, names, depth),
    ...checksOf(property.inside, names, depth + 1),
  ]);
}

function checkOf(trace: PropertyTrace, names: LadderNames, depth: number): Check {
  const { matched: isMatched, note, source } = trace;
  const shared = { isMatched, note, depth, from: SOURCES[source], got: gotOf(trace) };
  if (trace.type === 'cohort') {
    const id = String(trace.wanted);
    const relation = trace.operator === 'not_in' ? 'is not in' : 'is in';
    return { ...shared, property: 'cohort', wanted: `${relation} ${names.cohort(id) ?? `cohort ${id}`}` };
  }
  const property = trace.type === 'flag' ? (names.flag(trace.key) ?? trace.key) : trace.key;
  return { ...shared, property, wanted: wantedOf(trace.operator, trace.wanted) };
}

function wantedOf(operator: string, wanted: unknown): string {
  const value = valueLabelOf(operator, wanted);
  const relation = relationOf(operator, wanted);
  return value === undefined ? relation : `${relation} ${value === '' ? '(empty)' : value}`;
}

function gotOf({ type, got, source }: PropertyTrace): string | null {
  if (source === 'none') return null;
  if (type === 'cohort' && typeof got === 'boolean') return got ? 'is in it' : 'is not in it';
  return got === '' ? '(empty)' : textOf(got);
}
