import { arrayOf, scalar } from '../../value-type.ts';
import { typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { onceEach, unlessTooLarge } from '../growth.ts';
import { once } from '../local-time.ts';
import { asArray, asNumber } from '../read-argument.ts';
import { runningList } from '../running-list.ts';
import { itemOf } from './arrays.ts';
import { lambdaRow, truths, holding, type Applied } from './lambdas.ts';

const INT = scalar('UInt64');

/** Items of the first array that belong together: from one place to another. */
type Make = (array: string, from: string, to: string) => string;

/**
 * Splits an array into parts, each of which begins at an item that fulfils the condition, or ends there when
 * reversed, and maps each part by `make`.
 */
function parts(applied: Applied, call: CallContext, isReversed: boolean, make: Make): string {
  const [place, at, one] = [call.fresh(), call.fresh(), call.fresh()];
  return onceEach([applied.list, truths(applied)], call, (list, holds) => {
    const edge = isReversed ? `len(${list!})` : '1';
    const isEdge = `${place} = ${edge} OR ${holds!}[${place}]`;
    const edges = `list_filter(range(1, len(${list!}) + 1), lambda ${place}: ${isEdge})`;
    return once(edges, call, (all) => {
      const array =
        applied.first('') === '' ? list! : `list_transform(${list!}, lambda ${one}: ${applied.first(one)})`;
      const [from, to] = isReversed
        ? [`coalesce(${all}[${at} - 1], 0) + 1`, place]
        : [place, `coalesce(${all}[${at} + 1], len(${list!}) + 1) - 1`];
      return once(array, call, (items) => {
        return `list_transform(${all}, lambda ${place}, ${at}: ${make(items, from, to)})`;
      });
    });
  });
}

/** `arraySplit(x -> …, array)`: a new part at each item, or behind it, for which the condition holds. */
function splitting(name: string, isReversed: boolean): FunctionRow {
  return lambdaRow(name, holding, (applied, item, call) => {
    const one = call.fresh();
    // Not list_slice, with which DuckDB copies the whole array for each part.
    const sql = parts(applied, call, isReversed, (array, from, to) => {
      return `list_transform(range(${from}, ${to} + 1), lambda ${one}: ${array}[${one}])`;
    });
    return { sql, type: arrayOf(arrayOf(item)) };
  });
}

/** `arrayFill(x -> …, array)`: items for which the condition does not hold become the one before, or behind, them. */
function filling(name: string, isReversed: boolean): FunctionRow {
  return lambdaRow(name, holding, (applied, item, call) => {
    const one = call.fresh();
    const filled = parts(applied, call, isReversed, (array, from, to) => {
      const kept = isReversed ? to : from;
      return `list_transform(range(${from}, ${to} + 1), lambda ${one}: ${array}[${kept}])`;
    });
    return { sql: `flatten(${filled})`, type: arrayOf(item) };
  });
}

/** One array, or several of which items at the same place are one. */
function zipped(args: readonly Printed[], call: CallContext): string {
  const arrays = args.map((array, at) => asArray(array, call, at).sql);
  return arrays.length === 1 ? arrays[0]! : `list_zip(${arrays.join(', ')})`;
}

/** Groups of equal items, in the order of the items: lists of their places. */
function groups(list: string, call: CallContext): string {
  const [value, place, begin] = [call.fresh(), call.fresh(), call.fresh()];
  const placed = `list_transform(${list}, lambda ${value}, ${place}: {'item': ${value}, 'at': ${place}})`;
  return once(`list_sort(${placed})`, call, (sorted) => {
    const isFirst = `${place} = 1 OR ${sorted}[${place}].item IS DISTINCT FROM ${sorted}[${place} - 1].item`;
    const begins = `list_filter(range(1, len(${sorted}) + 1), lambda ${place}: ${isFirst})`;
    return once(begins, call, (all) => {
      const end = `coalesce(${all}[${place} + 1], len(${sorted}) + 1)`;
      const ats = `list_transform(range(${begin}, ${end}), lambda ${value}: ${sorted}[${value}].at)`;
      return `list_transform(${all}, lambda ${begin}, ${place}: ${ats})`;
    });
  });
}

/** Numbers of the places, in their order. */
function numbered(entries: string, call: CallContext): string {
  const one = call.fresh();
  return `list_transform(list_sort(flatten(${entries})), lambda ${one}: ${one}.number)`;
}

/** Numbers of the items of arrays, of which there are none of NULL alone. */
function numbering(name: string, print: FunctionRow['print']): FunctionRow {
  return typed(name, [1, 10], (args, call) => {
    if (args.some(({ type }) => type.name === 'Nothing'))
      return { sql: 'CAST(NULL AS BIGINT[])', type: arrayOf(INT, true) };
    return print(args, call);
  });
}

/** `arrayEnumerateUniq(array, …)`: how often each item came up to its place. */
function enumerated(args: readonly Printed[], call: CallContext): Printed {
  const [group, at, number] = [call.fresh(), call.fresh(), call.fresh()];
  const each = `list_transform(${group}, lambda ${at}, ${number}: {'at': ${at}, 'number': ${number}})`;
  const sql = numbered(`list_transform(${groups(zipped(args, call), call)}, lambda ${group}: ${each})`, call);
  return { sql, type: arrayOf(INT) };
}

/** `arrayEnumerateDense(array, …)`: the number of each item, counted in the order in which they come first. */
function enumeratedDensely(args: readonly Printed[], call: CallContext): Printed {
  const [group, at, number] = [call.fresh(), call.fresh(), call.fresh()];
  const each = `list_transform(${group}, lambda ${at}: {'at': ${at}, 'number': ${number}})`;
  const ordered = `list_sort(${groups(zipped(args, call), call)})`;
  const sql = numbered(`list_transform(${ordered}, lambda ${group}, ${number}: ${each})`, call);
  return { sql, type: arrayOf(INT) };
}

/** The sums up to each place, starting again at 0 where they would be less. */
function nonNegativeSums(args: readonly Printed[], call: CallContext): Printed {
  const { type } = asNumber({ sql: 'x', type: itemOf(args[0]!, call) }, call, 0);
  const [one, at] = [call.fresh(), call.fresh()];
  const known = `list_transform(${args[0]!.sql}, lambda ${one}: coalesce(${one}, 0))`;
  const sums = runningList(known, call, (a, b) => `${a} + ${b}`);
  const sql = once(sums, call, (all) =>
    once(
      runningList(all, call, (a, b) => `least(${a}, ${b})`),
      call,
      (least) => {
        return `list_transform(${all}, lambda ${one}, ${at}: ${one} - least(${least}[${at}], 0))`;
      },
    ),
  );
  return { sql, type: arrayOf(type) };
}

/** Pairs of items that are compared, each of some with each of the others. */
const MOST_PAIRS = 1_000_000;

/**
 * `arrayAUC(scores, labels)`: the area below the ROC curve, which is how often one of the items with a label above 0 has a
 * higher score than one without; ties count by half. NULL where all are of one kind.
 */
function areaUnderCurve(args: readonly Printed[], call: CallContext): Printed {
  const [scores, labels] = args.map((array, at) => {
    const type = itemOf(array, call, at);
    const one = call.fresh();
    return `list_transform(${array.sql}, lambda ${one}: ${asNumber({ sql: one, type }, call, at).sql})`;
  });
  const sql = onceEach([scores!, labels!], call, (score, label) => {
    const [one, at, other] = [call.fresh(), call.fresh(), call.fresh()];
    const having = (condition: string): string =>
      `list_filter(${score!}, lambda ${one}, ${at}: ${label!}[${at}] ${condition})`;
    return onceEach([having('> 0'), having('<= 0')], call, (high, low) => {
      const lower = (operator: string): string =>
        `len(list_filter(${low!}, lambda ${other}: ${other} ${operator} ${one}))`;
      const won = `list_sum(list_transform(${high!}, lambda ${one}: (${lower('<')} + ${lower('<=')}) / 2))`;
      const area = `(${won} / nullif(len(${high!}) * len(${low!}), 0))`;
      return unlessTooLarge(`len(${high!}) * len(${low!}) > ${MOST_PAIRS}`, area);
    });
  });
  return { sql, type: scalar('Float64', true) };
}

/** Parts of arrays that a condition separates, and the numbers of their items. */
export const listParts: readonly FunctionRow[] = [
  splitting('arraySplit', false),
  splitting('arrayReverseSplit', true),
  filling('arrayFill', false),
  filling('arrayReverseFill', true),
  numbering('arrayEnumerateUniq', enumerated),
  numbering('arrayEnumerateDense', enumeratedDensely),
  typed('arrayAUC', 2, areaUnderCurve),
  typed('arrayCumSumNonNegative', 1, nonNegativeSums),
];
