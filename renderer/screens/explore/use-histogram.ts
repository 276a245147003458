import { computed } from 'vue';
import { askQuery } from '../../api/query.api.ts';
import { sentQuery, type EventsQuery } from '../../insights/events-query.ts';
import { useAnswer } from '../../composables/use-answer.ts';
import type { SpanMoments } from '../../ui/dates/span-moments.ts';
import { boundsOf } from './event-rows.ts';
import { emptySlots, slotExpression, type TimeSlots } from './time-slots.ts';

interface Histogram {
  projectId: number;
  /** `null` until the saved view is loaded. */
  query: () => EventsQuery | null;
  span: () => SpanMoments;
  /** The chosen part of the span; `null` for none. */
  part: () => SpanMoments | null;
}

/** How many events of a query there are over time, in all, and in the chosen part. */
export function useHistogram({ projectId, query, span, part }: Histogram) {
  const { answer, failure, isAsking, ask } = useAnswer(async (signal): Promise<TimeSlots | null> => {
    const wanted = query();
    if (wanted === null) return null;
    const { from, to } = span();
    const end = to ?? Date.now();
    const begin = from ?? (await firstMoment(wanted, signal)) ?? end;
    const slots = emptySlots(begin, end, new Date(begin).getTimezoneOffset() * -60_000);
    const slot = slotExpression(slots);
    const found = await aggregate(wanted, { from, to: end }, [slot, 'count()'], signal, [`${slot} ASC`]);
    const counts = Array.from({ length: slots.count }, () => 0);
    // The clock of this page may be ahead of the server's, or behind it.
    for (const [at, count] of found as [number, number][])
      counts[Math.min(slots.count - 1, Math.max(0, at))]! += count;
    return { from: slots.from, to: slots.to, step: slots.step, counts };
  });

  const chosen = useAnswer(async (signal) => {
    const [wanted, bounds] = [query(), part()];
    if (wanted === null || bounds === null) return null;
    const [[count] = [0]] = (await aggregate(wanted, bounds, ['count()'], signal)) as [number][];
    return count;
  });

  async function firstMoment(wanted: EventsQuery, signal: AbortSignal): Promise<number | null> {
    const [[first] = []] = await aggregate(
      wanted,
      { from: null, to: null },
      ['min(timestamp)', 'count()'],
      signal,
    );
    const moment = Date.parse(String(first));
    return Number.isNaN(moment) ? null : moment;
  }

  async function aggregate(
    wanted: EventsQuery,
    bounds: SpanMoments,
    select: readonly string[],
    signal: AbortSignal,
    orderBy: readonly string[] = ['count() DESC'],
  ): Promise<unknown[][]> {
    const sent = { ...sentQuery({ ...wanted, orderBy }), ...boundsOf(bounds), select, limit: 1_000 };
    return (await askQuery(projectId, sent, { signal })).results as unknown[][];
  }

  const total = computed(() => answer.value?.counts.reduce((sum, count) => sum + count, 0) ?? null);

  return { slots: answer, total, failure, isAsking, ask, partCount: chosen.answer, askPart: chosen.ask };
}
