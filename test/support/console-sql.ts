import type { OpenConsole } from './console.ts';

const DAY = 86_400_000;

/** What each tone takes in days to be paid, by week. */
const TONES = {
  control: [10.6, 10.4, 10.5, 10.1],
  friendly: [10.5, 10.1, 9.8, 9.1],
  direct: [10.6, 9.9, 9.3, 8.1],
};

/** Invoices paid in the four weeks before now, by three tones of reminder, two for each; and one signup. */
export async function sendInvoices(view: OpenConsole): Promise<void> {
  const paid = Object.entries(TONES).flatMap(([tone, weeks]) =>
    weeks.flatMap((days, week) =>
      ['ana', 'greta'].map((who) => ({
        event: 'invoice paid',
        distinct_id: who,
        timestamp: new Date(Date.now() - (28 - 7 * week) * DAY).toISOString(),
        properties: { tone, days_to_paid: days, amount: 100 + week, '$feature/reminder-tone': tone },
      })),
    ),
  );
  await view.capture(...paid, { event: 'signup', distinct_id: 'greta' });
}

/** The median days to pay by week and tone: twelve rows. */
export const MEDIANS = `SELECT
  toStartOfWeek(timestamp, 1) AS week,
  properties.tone AS tone,
  count() AS paid,
  round(quantile(0.5)(properties.days_to_paid), 1) AS median_days
FROM events
WHERE event = 'invoice paid'
  AND timestamp >= now() - INTERVAL 60 DAY
GROUP BY week, tone
ORDER BY week DESC, tone`;
