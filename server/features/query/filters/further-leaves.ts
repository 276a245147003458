import { fail } from '../../../errors.ts';
import type { Expr } from '../../../hogql/ast.ts';
import { and, call, compare, constant, field, isNotNull } from '../../../hogql/build.ts';
import type { FilterContext } from './filter-context.ts';
import type { Operand } from '../../../conditions/to-hogql.ts';
import { columnOperand, propertyOperand } from './operand.ts';
import type { QueryOnlyLeaf } from './query-filter.ts';

type ColumnType = Parameters<typeof columnOperand>[1];

/** Columns of events by which queries filter; $group_0 and its like are texts too. */
const METADATA: ReadonlyMap<string, ColumnType> = new Map([
  ['event', 'text'],
  ['distinct_id', 'text'],
  ['elements_chain', 'text'],
  ['$session_id', 'text'],
  ['$window_id', 'text'],
  ['$group_0', 'text'],
  ['$group_1', 'text'],
  ['$group_2', 'text'],
  ['$group_3', 'text'],
  ['$group_4', 'text'],
  // A UUID: its text is asked for.
  ['uuid', 'number'],
  ['person_id', 'number'],
  ['timestamp', 'moment'],
  ['created_at', 'moment'],
]);
const SESSION_NUMBERS: ReadonlySet<string> = new Set([
  '$session_duration',
  '$pageview_count',
  '$autocapture_count',
  '$screen_count',
  '$event_count',
  '$num_uniq_urls',
]);
const SESSION_MOMENTS: ReadonlySet<string> = new Set(['$start_timestamp', '$end_timestamp']);

/** A column of the event itself. Throws invalid_input for an unknown one. */
export function metadataOperand(key: string, context: Pick<FilterContext, 'path'>): Operand {
  const type = METADATA.get(key);
  if (type === undefined) {
    const known = [...METADATA.keys()].join(', ');
    throw fail('invalid_input', {
      attr: 'properties',
      detail: `Event metadata filters support the columns ${known}.`,
    });
  }
  // An event of no group, or of no session, has an empty text.
  const column = field(...context.path(key));
  const operand = columnOperand(key.startsWith('$') ? call('nullIf', column, constant('')) : column, type);
  return key === 'uuid' || key === 'person_id' ? { ...operand, number: operand.micros } : operand;
}

/** A property of the event's session; one that sessions do not have is an error of the query. */
export function sessionOperand(key: string, context: FilterContext): Operand {
  const column = field(...context.path('session', key));
  if (SESSION_MOMENTS.has(key)) return columnOperand(column, 'moment');
  if (key === '$is_bounce') return { ...columnOperand(column, 'number') };
  return columnOperand(column, SESSION_NUMBERS.has(key) ? 'number' : 'text');
}

/** What a flag said when the event was sent: any variant but false, false or nothing that is known, or this variant. */
export function flagExpr(
  { key, value }: Extract<QueryOnlyLeaf, { type: 'flag' }>,
  context: FilterContext,
): Expr {
  const { text } = propertyOperand('event', ['properties', `$feature/${key}`], context);
  if (value === true) return and(isNotNull(text), compare('!=', text, constant('false')));
  return compare('==', text, constant(String(value)));
}
