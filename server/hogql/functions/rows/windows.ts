import { unify } from '../common-type.ts';
import { scalar, withNull } from '../../value-type.ts';
import { alsoNamed, ofPersons, typed } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { asWhole, defaultOf } from '../read-argument.ts';

/** A function that needs OVER. */
function windowed(name: string, arity: readonly [number, number], print: FunctionRow['print']): FunctionRow {
  return { ...typed(name, arity, print), window: true };
}

/** The place of a row in its window. */
function ranking(name: string, duckdb: string, type: 'UInt64' | 'Float64'): FunctionRow {
  return windowed(name, [0, 0], (_, call) => ({ sql: `(${duckdb}() ${call.suffix})`, type: scalar(type) }));
}

/** Whether the frame of a window holds all rows behind a row; without an order it holds all rows. */
function reachesEnd(suffix: string): boolean {
  return (
    !suffix.includes('ORDER BY') ||
    suffix.includes('UNBOUNDED FOLLOWING') ||
    /BETWEEN (?!UNBOUNDED)/.test(suffix)
  );
}

/** The value some rows before or after; beyond the window the default that was given, or that of the type; of persons none. */
function neighbour(name: string, duckdb: 'lag' | 'lead'): FunctionRow {
  const row = windowed(name, [1, 3], (args, call) => {
    const [value, distance, otherwise] = args;
    const steps = distance === undefined ? '1' : asWhole(distance, call, 1).sql;
    const both = otherwise === undefined ? null : unify([value!, otherwise], call);
    const own = value!.type.name === 'Person' ? withNull(value!.type) : value!.type;
    const type = both === null ? own : both.type;
    const absent = both === null ? (type.nullable ? 'NULL' : defaultOf(type)) : both.sql[1]!;
    const beside = `(${duckdb}(${both?.sql[0] ?? value!.sql}, ${steps}, ${absent}) ${call.suffix})`;
    if (name !== 'leadInFrame' || reachesEnd(call.suffix)) return { sql: beside, type };
    // Frames that begin with the first row end at the row that their count says.
    const isInFrame = `row_number() ${call.suffix} + ${steps} <= count(*) ${call.suffix}`;
    return { sql: `(CASE WHEN ${isInFrame} THEN ${beside} ELSE ${absent} END)`, type };
  });
  return ofPersons(row);
}

function nthValue([value, place]: readonly Printed[], call: CallContext): Printed {
  const sql = `(nth_value(${value!.sql}, ${asWhole(place!, call, 1).sql}) ${call.suffix})`;
  return value!.type.nullable
    ? { sql, type: value!.type }
    : { sql: `coalesce(${sql}, ${defaultOf(value!.type)})`, type: value!.type };
}

export const windows: readonly FunctionRow[] = [
  ranking('row_number', 'row_number', 'UInt64'),
  ranking('rank', 'rank', 'UInt64'),
  ranking('dense_rank', 'dense_rank', 'UInt64'),
  ranking('denseRank', 'dense_rank', 'UInt64'),
  ranking('percent_rank', 'percent_rank', 'Float64'),
  ranking('percentRank', 'percent_rank', 'Float64'),
  ranking('cume_dist', 'cume_dist', 'Float64'),
  windowed('ntile', [1, 1], ([parts], call) => ({
    sql: `(ntile(${asWhole(parts!, call, 0).sql}) ${call.suffix})`,
    type: scalar('UInt64'),
  })),
  neighbour('lag', 'lag'),
  neighbour('lead', 'lead'),
  neighbour('lagInFrame', 'lag'),
  neighbour('leadInFrame', 'lead'),
  windowed('nth_value', [2, 2], nthValue),
  // The number of a row, from 0; which order rows have is not said.
  ...alsoNamed(
    typed('rowNumberInAllBlocks', 0, () => ({ sql: '(row_number() OVER () - 1)', type: scalar('UInt64') })),
    'rowNumberInBlock',
  ),
];
