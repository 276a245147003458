import { scalar } from '../../value-type.ts';
import { aggregate, aggregateCall } from '../define-row.ts';
import type { CallContext, FunctionRow, Printed } from '../function-row.ts';
import { onceEach } from '../growth.ts';
import { tupleSql } from '../../tuple-sql.ts';

/** How often each pair of values was seen, and each value of the left and of the right, as maps; and how many rows. */
interface Counts {
  readonly pairs: string;
  readonly left: string;
  readonly right: string;
  readonly rows: string;
}

/** An aggregate of two columns by how often their values occur together; NULL where there are no rows. */
function association(name: string, measure: (counts: Counts, call: CallContext) => string): FunctionRow {
  return aggregate(name, 2, ([left, right]: readonly Printed[], call) => {
    const known = [left!, right!].filter(({ type }) => type.nullable).map(({ sql }) => `${sql} IS NOT NULL`);
    const condition = known.length === 0 ? undefined : known.join(' AND ');
    const [x, y] = [left!, right!].map(({ sql }) => `CAST(${sql} AS VARCHAR)`);
    const count = (of: string): string => aggregateCall(call, `histogram(${of})`, condition);
    const sql = onceEach([count(tupleSql([x!, y!])), count(x!), count(y!)], call, (pairs, a, b) => {
      const rows = `list_sum(map_values(${a!}))`;
      const measured = measure({ pairs: pairs!, left: a!, right: b!, rows }, call);
      return `(CASE WHEN ${rows} > 0 THEN ${measured} END)`;
    });
    return { sql, type: scalar('Float64', true) };
  });
}

/** Sums a term over all pairs of values; the term gets the count of the pair, and those of its two values. */
function overPairs(
  { pairs, left, right }: Counts,
  call: CallContext,
  term: (pair: string, a: string, b: string) => string,
): string {
  const entry = call.fresh();
  const terms = term(
    `CAST(${entry}.value AS DOUBLE)`,
    `${left}[${entry}.key.f1]`,
    `${right}[${entry}.key.f2]`,
  );
  return `list_sum(list_transform(map_entries(${pairs}), lambda ${entry}: ${terms}))`;
}

/** Pearson's chi squared of the table of both, as a share of its rows: 0 where they are independent. */
function phiSquared(counts: Counts, call: CallContext): string {
  return `greatest(${overPairs(counts, call, (pair, a, b) => `${pair} * ${pair} / (${a} * ${b})`)} - 1, 0)`;
}

/** Cramér's V; 0 where one side has one value alone. */
function cramersV(counts: Counts, call: CallContext): string {
  const fewest = `least(cardinality(${counts.left}), cardinality(${counts.right}))`;
  return `coalesce(sqrt(${phiSquared(counts, call)} / nullif(CAST(${fewest} AS DOUBLE) - 1, 0)), 0)`;
}

/** Cramér's V without what chance adds to it in small samples (Bergsma 2013). */
function cramersVBiasCorrected(counts: Counts, call: CallContext): string {
  const n = `(CAST(${counts.rows} AS DOUBLE) - 1)`;
  const [r, k] = [counts.left, counts.right].map((map) => `CAST(cardinality(${map}) AS DOUBLE)`);
  const phi = `greatest(${phiSquared(counts, call)} - (${r!} - 1) * (${k!} - 1) / ${n}, 0)`;
  const corrected = (size: string): string => `(${size} - pow(${size} - 1, 2) / ${n})`;
  const fewest = `least(${corrected(r!)}, ${corrected(k!)}) - 1`;
  return `coalesce(sqrt(${phi} / nullif(${fewest}, 0)), 0)`;
}

/** The contingency coefficient: `sqrt(chi² / (chi² + n))`. */
function contingency(counts: Counts, call: CallContext): string {
  return onceEach([phiSquared(counts, call)], call, (phi) => `sqrt(${phi!} / (${phi!} + 1))`);
}

/** Theil's U: from 0, where both are independent, to 1, where the right side determines the left one. */
function theilsU(counts: Counts, call: CallContext): string {
  const value = call.fresh();
  const share = `(CAST(${value} AS DOUBLE) / ${counts.rows})`;
  const alone = `list_sum(list_transform(map_values(${counts.left}), lambda ${value}: ${share} * ln(${share})))`;
  const given = `${overPairs(counts, call, (pair, _, b) => `${pair} * ln(${pair} / ${b})`)} / ${counts.rows}`;
  return `coalesce((${alone} - ${given}) / nullif(${alone}, 0), 0)`;
}

/** How much the values of two columns have to do with each other. */
export const associations: readonly FunctionRow[] = [
  association('cramersV', cramersV),
  association('cramersVBiasCorrected', cramersVBiasCorrected),
  association('contingency', contingency),
  association('theilsU', theilsU),
];
