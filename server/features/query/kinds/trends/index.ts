import { OTHER_VALUE } from '../../breakdown.ts';
import { defineKind, type KindContext } from '../../query-kind.ts';
import { trendsQuery } from '../insight-kinds.contract.ts';
import { trendsActors } from './actors.ts';
import { queryNumbers, type SeriesNumbers } from './numbers.ts';
import { planTrends, type TrendsQuery } from './plan.ts';
import { seriesObjects, type NamedFormula, compileFormula } from './shape.ts';

/** How events, persons or values go over time (management contract 9.9, 9.9.1). */
export const trendsKind = defineKind({
  kind: 'TrendsQuery',
  schema: trendsQuery,
  async answer(query, context) {
    const [plan, formulas] = await Promise.all([planTrends(query, context), readFormulas(query, context)]);
    const numbers = await queryNumbers(query, plan, context);
    const [{ span }] = plan.periods as [(typeof plan.periods)[number]];
    const isOther = ({ values }: SeriesNumbers): boolean => values[0] === OTHER_VALUE;
    const hidesOther = plan.breakdown?.hidesOther ?? false;
    const shown = numbers.map((found) => found.filter((one) => !(hidesOther && isOther(one))));
    return {
      results: seriesObjects(query, plan, shown, formulas),
      hasMore: numbers[0]!.some(isOther),
      resolved_date_range: {
        date_from: new Date(span.from).toISOString(),
        date_to: new Date(span.to - 1).toISOString(),
      },
    };
  },
  actors: trendsActors,
});

async function readFormulas(
  { trendsFilter, series }: TrendsQuery,
  { parse }: KindContext,
): Promise<NamedFormula[]> {
  const { formula, formulas, formulaNodes } = trendsFilter ?? {};
  const named: { text: string; name: string | null }[] = Array.isArray(formulaNodes)
    ? formulaNodes.map((node) => ({ text: node.formula, name: node.custom_name ?? null }))
    : (formulas ?? []).length > 0
      ? formulas!.map((text) => ({ text, name: null }))
      : formula
        ? [{ text: formula, name: null }]
        : [];
  return await Promise.all(
    named.map(async ({ text, name }) => ({
      label: name ?? `Formula (${text})`,
      evaluate: compileFormula(await parse.expression(text), series.length),
    })),
  );
}
