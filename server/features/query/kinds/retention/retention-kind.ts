import { defineKind } from '../../query-kind.ts';
import { retentionQuery } from '../insight-kinds.contract.ts';
import { retentionActors } from './retention-actors.ts';
import { askCells } from './retention-cells.ts';
import { planRetention } from './retention-plan.ts';
import { retentionRows } from './retention-results.ts';

/** Who comes back (management contract 9.9, 9.9.1). */
export const retentionKind = defineKind({
  kind: 'RetentionQuery',
  schema: retentionQuery,
  async answer(query, context) {
    const plan = await planRetention(query, context);
    const found = await askCells(query, plan, context);
    const hidesOther = plan.breakdown?.kind === 'values' && plan.breakdown.hidesOther;
    const shown = found.filter(({ isOther }) => !(isOther && hidesOther));
    return {
      results: shown.flatMap((one) => retentionRows(one, query, plan)),
      hasMore: found.some(({ isOther }) => isOther),
    };
  },
  actors: retentionActors,
});
