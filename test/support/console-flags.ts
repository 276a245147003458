import type { OpenConsole } from './console.ts';

/** A flag as far as tests of the console look at it. */
export interface ConsoleFlag {
  id: number;
  key: string;
  name: string;
  active: boolean;
  deleted: boolean;
  version: number;
  status: string;
  filters: {
    groups: { properties: unknown[]; rollout_percentage: number; description?: string }[];
    multivariate: { variants: { key: string; rollout_percentage: number }[] } | null;
    payloads: Record<string, string>;
  };
}

/** Filters that match a percentage of all persons. */
export const everyone = (percent: number) => ({ groups: [{ properties: [], rollout_percentage: percent }] });

/** The flags behind a console, through the API. */
export function flagsBehind(view: OpenConsole) {
  const pathOf = (rest = '') => `/api/projects/${view.server.projectId}/feature_flags/${rest}`;
  return {
    create: (key: string, filters: object = everyone(100), other: object = {}) =>
      view.ask<ConsoleFlag>(pathOf(), {
        method: 'POST',
        body: { key, filters, ...other, _should_create_usage_dashboard: false },
      }),
    read: (id: number) => view.ask<ConsoleFlag>(pathOf(`${id}/`)),
    change: (id: number, body: object) => view.ask<ConsoleFlag>(pathOf(`${id}/`), { method: 'PATCH', body }),
    list: async () => (await view.ask<{ results: ConsoleFlag[] }>(pathOf())).results,
    /** What an SDK is answered, as /decide of version 3. */
    async answersFor(distinctId: string): Promise<Record<string, unknown>> {
      const body = JSON.stringify({ api_key: view.server.projectApiKey, distinct_id: distinctId });
      const answer = await fetch(`${view.server.url}/decide/?v=3`, { method: 'POST', body });
      return ((await answer.json()) as { featureFlags: Record<string, unknown> }).featureFlags;
    },
  };
}

/** Sends six persons, two on each of the plans Solo, Studio and Free. */
export async function sendSixPersons(view: OpenConsole): Promise<void> {
  const plans = ['Solo', 'Solo', 'Studio', 'Studio', 'Free', 'Free'];
  const identify = (plan: string, index: number) => ({
    event: '$identify',
    distinct_id: `u_${index}`,
    properties: { $set: { plan, email: `u${index}@client.example`, invoices_sent: index } },
  });
  await view.capture(...plans.map(identify));
}
