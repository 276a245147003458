import { useTimeoutFn } from '@vueuse/core';
import { watch } from 'vue';
import type { ActionStep } from '../../api/actions.api.ts';
import { askQuery } from '../../api/query.api.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import { momentOf, wallOf } from '../../ui/dates/zone-time.ts';
import { firstDayOf, matchesOf, type Matches } from './matches.ts';

/** Milliseconds without a change after which events are looked for. */
const PAUSE = 150;
const LATEST = 6;

/** The events of late that fit steps, looked for anew a moment after those changed; `null` for no steps. */
export function useMatches(
  { id: projectId, timezone }: { id: number; timezone: string },
  steps: () => readonly ActionStep[],
) {
  const matches = useAnswer(async (signal): Promise<Matches | null> => {
    const asked = steps();
    if (asked.length === 0) return null;
    const today = wallOf(new Date(), timezone).slice(0, 10);
    const after = momentOf(`${firstDayOf(today)} 00:00:00`, timezone)!.toISOString();
    const query = { kind: 'EventsQuery', actionSteps: asked, after };
    const ask = async (more: Record<string, unknown>) =>
      (await askQuery(projectId, { ...query, ...more }, { signal })).results as unknown[][];
    const [totals, days, latest] = await Promise.all([
      ask({ select: ['count()', 'count(DISTINCT person_id)'] }),
      ask({ select: ['toDate(timestamp)', 'count()'] }),
      ask({ select: ['*'], orderBy: ['timestamp DESC'], limit: LATEST }),
    ]);
    return matchesOf({ totals: totals[0] ?? [], days, latest }, today);
  });

  const { start: askLater } = useTimeoutFn(() => void matches.ask(), PAUSE, { immediate: false });
  watch(
    () => JSON.stringify(steps()),
    () => askLater(),
  );
  void matches.ask();
  return matches;
}
