import { arrayOf, scalar, tupleOf, withNull } from '../../value-type.ts';
import { tupleSql } from '../../tuple-sql.ts';
import { aggregate, aggregateCall } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { once } from '../local-time.ts';
import { asNumber, asText, writtenSize, writtenText } from '../read-argument.ts';
import { runningList } from '../running-list.ts';
import { distinctly } from './aggregates.ts';

const FLOAT = scalar('Float64', true);

/** The mean of the k-th powers of how far each value lies from the mean of all, by means of powers. */
function centralMoment(power: 2 | 3 | 4, mean: (power: number) => string): string {
  const [m, m2] = [mean(1), mean(2)];
  if (power === 2) return `(${m2} - ${m} * ${m})`;
  if (power === 3) return `(${mean(3)} - 3 * ${m} * ${m2} + 2 * pow(${m}, 3))`;
  return `(${mean(4)} - 4 * ${m} * ${mean(3)} + 6 * ${m} * ${m} * ${m2} - 3 * pow(${m}, 4))`;
}

/** Skewness (3) or kurtosis (4), by the variance of all values or that of a sample; NULL where they do not differ. */
function shape(name: string, power: 3 | 4, isSample: boolean): FunctionRow {
  return aggregate(name, 1, ([value], call) => {
    const x = `CAST(${asNumber(value!, call, 0).sql} AS DOUBLE)`;
    const mean = (of: number): string => aggregateCall(call, `avg(${distinctly(call, `pow(${x}, ${of})`)})`);
    const variance = isSample
      ? aggregateCall(call, `var_samp(${distinctly(call, x)})`)
      : centralMoment(2, mean);
    return {
      sql: `(${centralMoment(power, mean)} / nullif(pow(${variance}, ${power / 2}), 0))`,
      type: FLOAT,
    };
  });
}

/** The line nearest to the points: how steep it is, and where it begins. */
function regression(args: readonly Printed[], call: CallContext): Printed {
  const [x, y] = args.map((one, at) => asNumber(one, call, at).sql);
  const parts = ['regr_slope', 'regr_intercept'].map((name) => aggregateCall(call, `${name}(${y!}, ${x!})`));
  return { sql: tupleSql(parts), type: tupleOf([FLOAT, FLOAT]) };
}

/** The numbers of all rows in the order of `by`, by default that of the call. */
function numbers(value: Printed, call: CallContext, by = call.order): { list: string; number: Printed } {
  const number = asNumber(value, call, 0);
  const order = by === '' ? '' : ` ${by}`;
  const known =
    number.type.name !== 'Lambda' && number.type.nullable ? `${number.sql} IS NOT NULL` : undefined;
  return { list: `coalesce(${aggregateCall(call, `list(${number.sql}${order})`, known)}, [])`, number };
}

/** For each row what it and those before it add up to: as many as the parameter says, or all. */
function moving(name: string, isMean: boolean): FunctionRow {
  const row = aggregate(name, 1, ([value], call) => {
    const { list, number } = numbers(value!, call);
    const [one, at] = [call.fresh(), call.fresh()];
    const size =
      call.params.length === 0 ? null : writtenSize(call.params, 0, call, 'The size of the window');
    const sums = runningList(list, call, (a, b) => `${a} + ${b}`);
    const sql = once(sums, call, (all) => {
      const before = `coalesce(CASE WHEN ${at} > ${size} THEN ${all}[${at} - ${size}] END, 0)`;
      const sum = size === null ? one : `${one} - ${before}`;
      // Places before the first row count as 0, as in ClickHouse.
      const shown = isMean ? `(${sum}) / ${size ?? `len(${all})`}` : sum;
      return `list_transform(${all}, lambda ${one}, ${at}: ${shown})`;
    });
    return { sql, type: arrayOf(isMean ? scalar('Float64') : withNull(number.type, false)) };
  });
  return { ...row, minParams: 0, maxParams: 1 };
}

/** What a number has grown by in all, from row to row; where it falls it starts again. */
function growth([value, time]: readonly Printed[], call: CallContext): Printed {
  const { list, number } = numbers(value!, call, time === undefined ? call.order : `ORDER BY ${time.sql}`);
  const at = call.fresh();
  const sql = once(list, call, (all) => {
    const step = `greatest(${all}[${at}] - ${all}[${at} - 1], 0)`;
    return `coalesce(list_sum(list_transform(range(2, len(${all}) + 1), lambda ${at}: ${step})), 0)`;
  });
  return { sql, type: withNull(number.type, false) };
}

/** `string_agg(text, ', ')`: Postgres's name of groupConcat. */
function joined(args: readonly Printed[], call: CallContext): Printed {
  const separator = call.bind(writtenText(args, 1, call, 'The separator')).sql;
  const order = call.order === '' ? '' : ` ${call.order}`;
  const text = distinctly(call, asText(args[0]!, call, 0).sql);
  const sql = aggregateCall(call, `string_agg(${text}, ${separator}${order})`);
  return { sql: `coalesce(${sql}, '')`, type: scalar('String') };
}

/** What all numbers together look like, and how they follow each other. */
export const moments: readonly FunctionRow[] = [
  shape('skewPop', 3, false),
  shape('skewSamp', 3, true),
  shape('kurtPop', 4, false),
  shape('kurtSamp', 4, true),
  aggregate('simpleLinearRegression', 2, regression),
  moving('groupArrayMovingSum', false),
  moving('groupArrayMovingAvg', true),
  aggregate('deltaSum', 1, growth),
  aggregate('deltaSumTimestamp', 2, growth),
  aggregate('string_agg', 2, joined),
];
