import type {
  CohortProperty,
  CompiledCohort,
  CompiledLeaf,
  CompiledProperty,
  CompiledTree,
  DependencyProperty,
  ValueProperty,
} from './compiled-flag.ts';
import {
  cohortHolds,
  dependencyHolds,
  isIn,
  leafHolds,
  subjectOf,
  valueHolds,
  type Asked,
} from './evaluate-property.ts';
import type { PropertyTrace } from './flag-evaluation.contract.ts';
import { knownOf } from './known.ts';
import { sourceOf, valueFrom } from './property-source.ts';
import { textOf } from './property-text.ts';

/** Cohorts that the trace has spelled out; further mentions say only whether somebody is in. */
export type Told = Set<CompiledCohort>;

/** What a property wanted, what there was, and what came of it; the same answers as `holds` gives. */
export function traceProperty(property: CompiledProperty, asked: Asked, told: Told): PropertyTrace {
  switch (property.kind) {
    case 'value':
      return traceValue(property, asked);
    case 'cohort':
      return traceCohort(property, asked, told);
    case 'flag':
      return traceDependency(property, asked);
  }
}

function traceValue(property: ValueProperty, asked: Asked): PropertyTrace {
  const { key, definition, comparison } = property;
  const subject = subjectOf(property, asked);
  const source = subject === null ? 'none' : sourceOf(key, subject);
  return {
    key,
    type: textOf(definition.type ?? 'person'),
    operator: comparison.operator,
    wanted: definition.value ?? null,
    got: source === 'none' ? null : (valueFrom(source, key, subject!) ?? null),
    source,
    matched: valueHolds(property, subject, asked.context.now),
    note: comparison.problem ?? (subject === null ? 'The request has no group of this type.' : null),
    inside: [],
  };
}

function traceCohort(property: CohortProperty, asked: Asked, told: Told): PropertyTrace {
  const { cohort, definition, isNegative } = property;
  const isKnown = told.has(cohort);
  told.add(cohort);
  const inside = isKnown || cohort.isStatic ? [] : traceTree(cohort.tree, asked, told);
  return {
    key: textOf(definition.key),
    type: 'cohort',
    operator: isNegative ? 'not_in' : 'in',
    wanted: definition.value ?? null,
    got: isIn(cohort, asked),
    source: 'cohort',
    matched: cohortHolds(property, asked),
    note: noteOf(cohort, isKnown),
    inside,
  };
}

function noteOf({ name, isStatic }: CompiledCohort, isKnown: boolean): string {
  if (isStatic) return `${name}: a list of persons`;
  return isKnown ? `${name}: see above` : name;
}

function traceTree(tree: CompiledTree, asked: Asked, told: Told): PropertyTrace[] {
  return tree.parts.flatMap((part) =>
    part.kind === 'tree' ? traceTree(part, asked, told) : traceLeaf(part, asked, told),
  );
}

function traceLeaf(leaf: CompiledLeaf, { context, person }: Asked, told: Told): PropertyTrace {
  const asked = { context, person, subject: person };
  const trace = traceProperty(leaf.property, asked, told);
  const note = leaf.isNegated
    ? [trace.note, 'turned round'].filter((one) => one !== null).join('; ')
    : trace.note;
  return { ...trace, matched: leafHolds(leaf, asked), note };
}

function traceDependency(property: DependencyProperty, { context }: Asked): PropertyTrace {
  const { flag, definition } = property;
  const named = textOf(definition.key);
  const key = flag?.definition.key ?? named;
  return {
    key,
    type: 'flag',
    operator: 'flag_evaluates_to',
    wanted: definition.value ?? null,
    got: flag === null ? null : (knownOf(context).flags.get(flag) ?? null),
    source: flag === null ? 'none' : 'flag',
    matched: dependencyHolds(property, context),
    note: flag === null ? 'This flag does not exist.' : null,
    inside: [],
  };
}
