import type { OpenConsole } from './console.ts';

const DAY = 86_400_000;

/** A shop in its second week: on day n before today n + 1 persons look, and every other one buys. */
export async function sendShop(view: OpenConsole): Promise<void> {
  const now = Date.now();
  const visits = Array.from({ length: 8 }, (_, ago) => ago).flatMap((ago) =>
    Array.from({ length: ago + 1 }, (__, person) => ({ ago, person })),
  );
  await view.capture(
    ...visits.flatMap(({ ago, person }) => {
      // A moment ago, but not before the day began.
      const at = now - ago * DAY;
      const timestamp = new Date(Math.max(at - (at % DAY), at - 60_000)).toISOString();
      const one = { distinct_id: `person-${person}@shop.example`, timestamp };
      const properties = { country: person % 2 === 0 ? 'Norway' : 'Chile', amount: 10 + person };
      const look = { ...one, event: 'looked', properties };
      const later = new Date(Date.parse(timestamp) + 1_000).toISOString();
      const buy = { ...one, event: 'bought', properties, timestamp: later };
      return person % 2 === 0 ? [look, buy] : [look];
    }),
  );
}

/** Opens the editor of a new insight, with this question. */
export async function openNew(view: OpenConsole, question?: object): Promise<void> {
  const q = question ? `?q=${encodeURIComponent(JSON.stringify(question))}` : '';
  await view.page.goto(view.at(`/insights/new${q}`));
  await view.page.getByRole('region', { name: 'Result', exact: true }).waitFor();
}

/** How often people looked, by day. */
export const TREND = {
  kind: 'TrendsQuery',
  series: [{ kind: 'EventsNode', event: 'looked' }],
  interval: 'day',
  dateRange: { date_from: '-7d' },
};
