import type { OpenConsole } from './console.ts';

type SentToConsole = Parameters<OpenConsole['capture']>[0];

const MINUTE = 60_000;
/** So many minutes ago, ISO 8601. */
export const ago = (minutes: number): string => new Date(Date.now() - minutes * MINUTE).toISOString();
const look = (path: string, minutesAgo: number): SentToConsole => ({
  event: '$pageview',
  distinct_id: 'u_1',
  timestamp: ago(minutesAgo),
  properties: { $pathname: path, $session_id: 's1', $browser: 'Firefox', $os: 'Linux' },
});
/** Who it is that was anonymous, half an hour ago. */
export const identifyAs = (id: string, anonymous: string, set: object): SentToConsole => ({
  event: '$identify',
  distinct_id: id,
  timestamp: ago(30),
  properties: { $anon_distinct_id: anonymous, $set: set },
});

/** Ana, who looked around before she said who she is; Chidi; and the company that Ana works for. */
export async function sendTwoPersons(view: OpenConsole): Promise<void> {
  await view.capture({
    event: '$pageview',
    distinct_id: 'anon-1',
    timestamp: ago(31),
    properties: { $pathname: '/' },
  });
  await view.capture(
    identifyAs('u_1', 'anon-1', { name: 'Ana Reyes', email: 'ana@reyes.example', plan: 'solo' }),
    identifyAs('u_2', 'anon-2', { name: 'Chidi Nwosu', email: 'chidi@nwosu.example', plan: 'studio' }),
    look('/invoices', 6),
    look('/invoices/new', 5),
    look('/invoices/new/preview', 4),
    {
      event: '$groupidentify',
      distinct_id: 'u_1',
      timestamp: ago(3),
      properties: {
        $group_type: 'company',
        $group_key: 'w_1',
        $group_set: { name: 'Reyes Studio', seats: 4 },
      },
    },
    {
      event: 'invoice sent',
      distinct_id: 'u_1',
      timestamp: ago(2),
      properties: { amount: 480, $groups: { company: 'w_1' } },
    },
  );
}
