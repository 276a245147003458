import type { OpenConsole } from './console.ts';

/** An action as far as tests of the console look at it. */
export interface ConsoleAction {
  id: number;
  name: string;
  description: string;
  tags: string[];
  deleted: boolean;
  steps: {
    event: string | null;
    url: string | null;
    url_matching: string | null;
    text: string | null;
    text_matching: string | null;
    properties: { key: string; operator: string; value: unknown }[];
  }[];
}

/** The actions behind a console, through the API. */
export function actionsBehind(view: OpenConsole) {
  const pathOf = (rest = '') => `/api/projects/${view.server.projectId}/actions/${rest}`;
  return {
    async create(body: object): Promise<ConsoleAction> {
      const made = await view.ask<ConsoleAction>(pathOf(), { method: 'POST', body });
      if (typeof made.id !== 'number') throw new Error(`An action was answered ${JSON.stringify(made)}`);
      return made;
    },
    list: async () => (await view.ask<{ results: ConsoleAction[] }>(pathOf())).results,
  };
}

/** Sends the events of a shop: two persons view its prices, one of them clicks, and each gets an invoice. */
export async function sendPriceSeekers(view: OpenConsole): Promise<void> {
  const link = { tag_name: 'a', $el_text: 'See pricing', attr__href: '/pricing' };
  await view.capture(
    ...['ana@reyes.example', 'greta@holm.example'].flatMap((distinct_id, index) => [
      {
        event: '$pageview',
        distinct_id,
        properties: { $current_url: `https://shop.example/pricing?from=${index}` },
      },
      { event: '$pageview', distinct_id, properties: { $current_url: 'https://shop.example/' } },
      { event: 'invoice sent', distinct_id, properties: { amount: 100 + index * 100 } },
    ]),
    {
      event: '$autocapture',
      distinct_id: 'ana@reyes.example',
      properties: { $event_type: 'click', $current_url: 'https://shop.example/', $elements: [link] },
    },
  );
}
