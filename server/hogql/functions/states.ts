import { arrayOf, tupleOf, withNull, type ValueType } from '../value-type.ts';
import { tuplePartSql, tupleSql } from '../tuple-sql.ts';
import { aggregateCall } from './define-row.ts';
import type { CallContext, FunctionRow, Printed } from './function-row.ts';
import { allItems, ofEntries, ofList, takesLists, type Combine } from './list-combinators.ts';
import { asNumber, writtenSize } from './read-argument.ts';
import { allKnown, orDefault, together } from './rows/aggregates.ts';
import { orderOf } from './rows/collections.ts';
import { isQuantile, measurable, quantileOfList } from './rows/quantiles.ts';

/** What an aggregate keeps of its rows while it is unfinished, and what it is of all that was kept. */
interface Keeping {
  /** What is kept of the rows; NULL where there is nothing to keep. */
  keep(args: readonly Printed[], row: FunctionRow, call: CallContext): Printed;
  /** The SQL of the result, over what all rows have kept. */
  finish(kept: Printed, result: ValueType, row: FunctionRow, call: CallContext): string;
}

/** The text of an aggregate as it is where there is no row: NULL, not the default of its type. */
function orNull(row: FunctionRow, args: readonly Printed[], call: CallContext): Printed {
  const { sql, type } = row.print(
    args.map((one) => ({ ...one, type: withNull(one.type) })),
    call,
  );
  return { sql, type: withNull(type) };
}

/** The aggregate of parts is the aggregate of what is the aggregate of each: sums, extremes, bits. */
const itself: Keeping = {
  keep: (args, row, call) => orNull(row, args, call),
  finish: (kept, result, row, call) => orDefault(row.print([kept], call).sql, result).sql,
};

/** Numbers of rows are added up. */
const counted: Keeping = {
  keep: (args, row, call) => row.print(args, call),
  finish: (kept, _, row, call) => `coalesce(${aggregateCall(call, `sum(${kept.sql})`)}, 0)`,
};

/** A mean is the sum of all, and how many they are. */
const averaged: Keeping = {
  keep: ([value], _, call) => {
    const number = asNumber(value!, call, 0);
    const parts = ['sum', 'count'].map((name) => aggregateCall(call, `${name}(${number.sql})`));
    return { sql: tupleSql(parts), type: tupleOf([withNull(number.type), withNull(number.type)]) };
  },
  finish: (kept, _, row, call) => {
    const [sum, count] = [1, 2].map((part) => aggregateCall(call, `sum(${tuplePartSql(kept.sql, part)})`));
    return `(${sum!} / nullif(${count!}, 0))`;
  },
};

/** The value beside an extreme one is kept together with that one. */
function beside(duckdb: 'min' | 'max'): Keeping {
  return {
    keep: (args, row, call) => {
      const value = orNull(row, args, call);
      const by = args[1]!;
      const extreme = aggregateCall(call, `${duckdb}(${by.sql})`, allKnown(args));
      return { sql: tupleSql([value.sql, extreme]), type: tupleOf([value.type, withNull(by.type)]) };
    },
    finish: (kept, result, _, call) => {
      const [value, by] = [1, 2].map((part) => tuplePartSql(kept.sql, part));
      return orDefault(aggregateCall(call, `arg_${duckdb}(${value!}, ${by!})`), result).sql;
    },
  };
}

/** Several columns together have no type of their own here; they are only compared. */
function typeOfAll(args: readonly Printed[]): ValueType {
  return args.length === 1 ? args[0]!.type : tupleOf(args.map(({ type }) => type));
}

/** All values, or all different ones, are kept as a list. */
function listed(
  distinct: 'DISTINCT ' | '',
  finished: (list: string, ...rest: Parameters<Keeping['finish']>) => string,
): Keeping {
  return {
    keep: (args, _, call) => {
      const all = together(args);
      return {
        sql: aggregateCall(call, `list(${distinct}${all}${orderOf(call)})`, allKnown(args)),
        type: arrayOf(withNull(typeOfAll(args), false), true),
      };
    },
    finish: (kept, result, row, call) => finished(allItems(kept.sql, call), kept, result, row, call),
  };
}

const different = listed('DISTINCT ', (list) => `len(list_distinct(${list}))`);

/** So many different ones, and one more for all that are more. */
const upTo = listed('DISTINCT ', (list, _kept, _result, _row, call) => {
  return `least(len(list_distinct(${list})), ${writtenSize(call.params, 0, call, 'The number')} + 1)`;
});

const ofItems = listed('', (list, kept, result, row, call) =>
  ofList(row, list, { item: kept.type.name === 'Array' ? kept.type.item : kept.type, result }, call),
);

/** The entries of all maps are kept. */
function ofMaps(name: string): Keeping {
  return {
    keep: ([map], _, call) => ({
      sql: `flatten(${aggregateCall(call, `list(map_entries(${map!.sql}))`)})`,
      type: withNull(map!.type),
    }),
    finish: (kept, result, _, call) => {
      const entries = allItems(kept.sql, call);
      if (kept.type.name !== 'Map' || result.name !== 'Map') return call.refuse('Expected a map.', 0);
      return ofEntries({ name }, entries, { item: kept.type.value, result: result.value }, call);
    },
  };
}

/** The quantiles of all values are those of what the parts have kept, which is all. */
const measured: Keeping = {
  keep: ([value], _, call) => {
    const { sql, type } = measurable(value!, call);
    return {
      sql: aggregateCall(call, `list(${sql})`, `${sql} IS NOT NULL`),
      type: arrayOf(withNull(type, false), true),
    };
  },
  finish: (kept, _, row, call) => quantileOfList(row.name, allItems(kept.sql, call), call),
};

const OF_THEMSELVES =
  'sum sumWithOverflow min max any every boolAnd boolOr sumMap minMap maxMap groupBitAnd groupBitOr groupBitXor';
const OF_DIFFERENT =
  'uniq uniqExact uniqHLL12 uniqCombined uniqCombined64 uniqTheta countDistinct groupBitmap';

const KEEPING: Readonly<Record<string, Keeping>> = {
  count: counted,
  avg: averaged,
  uniqUpTo: upTo,
  argMin: beside('min'),
  argMax: beside('max'),
  ...Object.fromEntries(OF_THEMSELVES.split(' ').map((name) => [name, itself])),
  ...Object.fromEntries(OF_DIFFERENT.split(' ').map((name) => [name, different])),
};

function keepingOf(row: FunctionRow): Keeping | null {
  if (Object.hasOwn(KEEPING, row.name)) return KEEPING[row.name]!;
  if (isQuantile(row.name)) return measured;
  if (takesLists(row.name)) return ofItems;
  const values = /^(.+)Map$/.exec(row.name)?.[1];
  return values !== undefined && takesLists(values) ? ofMaps(values) : null;
}

/** Whether the aggregate can be kept unfinished. */
export function hasState(row: FunctionRow): boolean {
  return keepingOf(row) !== null;
}

/** `sumState(x)`: what the aggregate keeps of the rows, for -Merge in a query around it. */
export const keepState: Combine = (row) => ({
  ...row,
  print: (args, call) => {
    if (call.distinct) call.refuse('States cannot be combined with DISTINCT: remove DISTINCT.');
    const { sql, type } = keepingOf(row)!.keep(args, row, call);
    const result = row.print(args, call).type;
    return { sql, type: { name: 'State', of: row.name, kept: type, result, nullable: type.nullable } };
  },
});

/** `sumMerge(state)`: the aggregate of all rows whose states they are. */
export const mergeStates: Combine = (row) => ({
  ...row,
  minArgs: 1,
  maxArgs: 1,
  print: ([state], call) => {
    const { sql, type } = state!;
    if (type.name !== 'State' || type.of !== row.name) {
      return call.refuse(`Expected a state of ${row.name}State.`, 0);
    }
    return {
      sql: keepingOf(row)!.finish({ sql, type: type.kept }, type.result, row, call),
      type: type.result,
    };
  },
});
