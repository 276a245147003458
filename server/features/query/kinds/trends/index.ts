import { withDashboardFilters } from '../../dashboard-filters.ts';
import { fieldsOf, within } from '../../legacy-filters.ts';
import { defineKind } from '../../query-kind.ts';
import { trendsActors } from './actors.ts';
import { boxPlot } from './box-plot.ts';
import { calendarHeatmap } from './calendar-heatmap.ts';
import { queryNumbers } from './numbers.ts';
import { planTrends } from './plan.ts';
import { trendsQuery, trendsSource } from './schema.ts';
import { readFormulas, trendsAnswer } from './shape.ts';
import { isDistribution } from './trends-filter.contract.ts';

/** How events, persons or values change over time (management contract 9.9, 9.9.1). */
export const trendsKind = defineKind({
  kind: 'TrendsQuery',
  role: 'insight',
  schema: trendsQuery,
  legacy: { name: 'TRENDS', path: 'trend', source: trendsSource },
  override: (query, filters) => ({
    ...withDashboardFilters(query, filters),
    ...(isDistribution(fieldsOf(query['trendsFilter'])['display'])
      ? {}
      : within('breakdownFilter', fieldsOf(filters['breakdown_filter']))),
    // All time has nothing to be compared to on a dashboard.
    ...(filters['date_from'] === 'all' && fieldsOf(query['compareFilter'])['compare'] === true
      ? { compareFilter: { ...fieldsOf(query['compareFilter']), compare: false } }
      : {}),
  }),
  plan: planTrends,
  async answer(plan, context) {
    const display = plan.query.trendsFilter?.display;
    if (display === 'CalendarHeatmap') return await calendarHeatmap(plan, context);
    if (display === 'BoxPlot') return await boxPlot(plan, context);
    const formulas = readFormulas(plan.query);
    return trendsAnswer(await queryNumbers(plan, context), formulas, plan, context.now);
  },
  actors: trendsActors,
});
