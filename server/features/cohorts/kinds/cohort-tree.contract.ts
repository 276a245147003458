import { isJsonObject } from '../../../lib/exact-number.contract.ts';
import type { Operator, Scalar } from '../../../conditions/operators.contract.ts';
import { z } from 'zod';
import { booleanField, integerField } from '../../../http/fields.contract.ts';
import { timeBoundField } from '../../../http/date-time.contract.ts';
import {
  checkValue,
  cohortId,
  leafShape,
  propertyFilters,
} from '../../property-filters/property-filters.contract.ts';

/** What a person did, or did not (management contract 9.2). */
export const BEHAVIOURS = [
  'performed_event',
  'performed_event_multiple',
  'performed_event_first_time',
  'performed_event_sequence',
  'performed_event_regularly',
  'stopped_performing_event',
  'restarted_performing_event',
] as const;
const INTERVALS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const;
const COUNT_OPERATORS = ['gte', 'lte', 'gt', 'lt', 'eq', 'exact'] as const;
const MAX_DEPTH = 8;
const MAX_NODES = 500;
const MAX_TIME_VALUE = 9_999;
const MAX_PERIODS = 1_000;
const negation = booleanField()
  .nullish()
  .transform((word) => word ?? false);

/** One property of the person, by the P-rules of the ingestion contract. `negation` turns the answer round. */
const personLeaf = z.object({ ...leafShape, type: z.literal('person'), negation }).superRefine(checkValue);

export interface PersonLeaf {
  type: 'person';
  key: string;
  operator: Operator;
  value?: Scalar | Scalar[] | null | undefined;
  negation: boolean;
}

/** Whether the person is in another cohort of the project. */
const cohortLeaf = z.object({
  type: z.literal('cohort'),
  key: z.preprocess((key) => key ?? 'id', z.literal('id')),
  value: cohortId,
  operator: z.enum(['in', 'not_in', 'exact', 'is_not']).nullish(),
  negation,
});
export interface CohortLeaf {
  type: 'cohort';
  key: 'id';
  value: number;
  operator: 'in' | 'not_in';
  negation: boolean;
}

const entityKey = z.preprocess((key) => (typeof key === 'number' ? String(key) : key), z.string().min(1));
const entityType = z.preprocess((type) => type ?? undefined, z.enum(['events', 'actions']).default('events'));
const interval = z.preprocess((word) => word ?? undefined, z.enum(INTERVALS).default('day'));
const optional = <S extends z.ZodType>(schema: S) =>
  z
    .preprocess((value) => (value === '' ? null : value), schema.nullish())
    .transform((value) => value ?? null);
const spanLength = optional(integerField().pipe(z.int().min(1).max(MAX_TIME_VALUE)));
/** Without an offset it is in the project's time zone, which is known when it is read. */
const timeBound = optional(timeBoundField({ isLocal: true }));
const periods = optional(integerField().pipe(z.int().min(1).max(MAX_PERIODS)));

/**
 * What the person did: events of a name or an action in a span of time that ends now. `seq_…` is the shorter span at its
 * end of a person who stopped or came back, and of a sequence the second event and the time until it.
 */
const behaviourLeaf = z
  .object({
    type: z.literal('behavioral'),
    value: z.enum(BEHAVIOURS),
    key: entityKey,
    event_type: entityType,
    negation,
    time_value: spanLength,
    time_interval: interval,
    explicit_datetime: timeBound,
    explicit_datetime_to: timeBound,
    operator: z.preprocess((word) => word ?? undefined, z.enum(COUNT_OPERATORS).default('gte')),
    operator_value: optional(integerField().pipe(z.int32().min(0))),
    seq_event: optional(entityKey),
    seq_event_type: entityType,
    seq_time_value: spanLength,
    seq_time_interval: interval,
    min_periods: periods,
    total_periods: periods,
    event_filters: z.preprocess((value) => value ?? [], propertyFilters('event')),
  })
  .superRefine(checkBehaviour);
export type BehaviourLeaf = z.output<typeof behaviourLeaf>;

/** Fields that a condition of each type has. */
export const LEAF_FIELDS: Readonly<Record<CohortTreeLeaf['type'], ReadonlySet<string>>> = {
  person: new Set(Object.keys(personLeaf.shape)),
  cohort: new Set(Object.keys(cohortLeaf.shape)),
  behavioral: new Set(Object.keys(behaviourLeaf.shape)),
};
/** What PostHog's console and server write beside them: names, places and what they compile conditions to. */
export const LEAF_NOTES: ReadonlySet<string> = new Set([
  'bytecode',
  'bytecode_error',
  'conditionHash',
  'cohort_name',
  'index',
  'label',
  'sort_key',
  'uuid',
]);

export type CohortTreeLeaf = PersonLeaf | CohortLeaf | BehaviourLeaf;

/** All (AND) or one (OR) of its parts must hold; without parts AND holds for all persons and OR for none. */
export interface CohortTree {
  type: 'AND' | 'OR';
  values: (CohortTree | CohortTreeLeaf)[];
}

const values = z.lazy(() => z.array(node));
const node: z.ZodType<CohortTree | CohortTreeLeaf> = z.preprocess(
  withType,
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('AND'), values }),
    z.object({ type: z.literal('OR'), values }),
    personLeaf,
    cohortLeaf.transform((leaf) => ({
      ...leaf,
      operator:
        leaf.operator === 'not_in' || leaf.operator === 'is_not' ? ('not_in' as const) : ('in' as const),
    })),
    behaviourLeaf,
  ]),
) as never;

/** A leaf without a type is about the person; a group without one means AND. */
function withType(value: unknown): unknown {
  if (!isJsonObject(value) || (value['type'] !== undefined && value['type'] !== null)) return value;
  return { ...value, type: Array.isArray(value['values']) ? 'AND' : 'person' };
}

const tree = z.object({ type: z.enum(['AND', 'OR']), values: z.array(node) });

/**
 * Schema of the rule of a cohort, `filters.properties` (management contract 9.2). Size and depth are looked at first, so
 * that what is beyond them is never walked.
 */
export const cohortTree = z
  .unknown()
  .superRefine((value, context) => {
    const message = problemOf(value);
    if (message !== null) context.addIssue({ code: 'custom', message, input: value });
  })
  .transform((value, context): CohortTree => {
    const parsed = tree.safeParse(value, { reportInput: true });
    if (parsed.success) return parsed.data;
    context.issues.push(...(parsed.error.issues as typeof context.issues));
    return z.NEVER;
  });

/** What is wrong with a rule as a whole, or null. */
function problemOf(root: unknown): string | null {
  let nodes = 0;
  const walk = (value: unknown, depth: number): string | null => {
    nodes++;
    if (depth > MAX_DEPTH) return `Conditions can be nested up to ${MAX_DEPTH} levels.`;
    if (nodes > MAX_NODES) return `At most ${MAX_NODES} conditions and groups are allowed.`;
    if (!isJsonObject(value) || !Array.isArray(value['values'])) return null;
    for (const part of value['values']) {
      const problem = walk(part, depth + 1);
      if (problem !== null) return problem;
    }
    return null;
  };
  return walk(root, 0);
}

/** Fields without which a behaviour says nothing, by its name. */
const NEEDED: Readonly<Record<(typeof BEHAVIOURS)[number], readonly (keyof Needed)[]>> = {
  performed_event: [],
  performed_event_multiple: ['operator_value'],
  performed_event_first_time: [],
  performed_event_sequence: ['seq_event', 'seq_time_value'],
  performed_event_regularly: ['operator_value', 'time_value', 'min_periods', 'total_periods'],
  stopped_performing_event: ['time_value', 'seq_time_value'],
  restarted_performing_event: ['time_value', 'seq_time_value'],
};
interface Needed {
  operator_value: number | null;
  time_value: number | null;
  seq_event: string | null;
  seq_time_value: number | null;
  min_periods: number | null;
  total_periods: number | null;
}

const DAYS: Readonly<Record<(typeof INTERVALS)[number], number>> = {
  minute: 1 / 1440,
  hour: 1 / 24,
  day: 1,
  week: 7,
  month: 30,
  year: 365,
};

function checkBehaviour(leaf: Needed & Behaving, context: z.RefinementCtx): void {
  const refuse = (path: string, message: string, error?: string): void =>
    context.addIssue({ code: 'custom', path: [path], message, input: leaf, params: { error } });
  const missing = NEEDED[leaf.value].find((field) => leaf[field] === null);
  if (missing !== undefined)
    return refuse(missing, `The behavior ${leaf.value} requires this field.`, 'required');
  if (leaf.value === 'stopped_performing_event' || leaf.value === 'restarted_performing_event') {
    const long = leaf.time_value! * DAYS[leaf.time_interval];
    const short = leaf.seq_time_value! * DAYS[leaf.seq_time_interval];
    if (short >= long)
      refuse('seq_time_value', 'This time range is part of the other one and must be shorter.');
  }
  if (leaf.value === 'performed_event_regularly' && leaf.min_periods! > leaf.total_periods!) {
    refuse('min_periods', 'The number of periods cannot exceed total_periods.');
  }
  for (const [type, key, field] of [
    [leaf.event_type, leaf.key, 'key'],
    [leaf.seq_event_type, leaf.seq_event, 'seq_event'],
  ] as const) {
    if (type === 'actions' && key !== null && !/^\d{1,9}$/.test(key))
      refuse(field, 'This must be the id of an action.');
  }
}

interface Behaving {
  value: (typeof BEHAVIOURS)[number];
  key: string;
  event_type: 'events' | 'actions';
  seq_event_type: 'events' | 'actions';
  time_interval: (typeof INTERVALS)[number];
  seq_time_interval: (typeof INTERVALS)[number];
}
