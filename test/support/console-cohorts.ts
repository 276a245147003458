import type { OpenConsole } from './console.ts';

/** A cohort as far as tests of the console look at it. */
export interface ConsoleCohort {
  id: number;
  name: string;
  count: number | null;
  is_static: boolean;
  deleted: boolean;
  filters: { properties: unknown } | null;
}

/** Filters by which those are in who pay. */
export const PAYING = {
  properties: {
    type: 'OR',
    values: [
      {
        type: 'AND',
        values: [{ type: 'person', key: 'plan', operator: 'exact', value: ['studio', 'solo'] }],
      },
    ],
  },
};

/** The cohorts behind a console, through the API. */
export function cohortsBehind(view: OpenConsole) {
  const pathOf = (rest = '') => `/api/projects/${view.server.projectId}/cohorts/${rest}`;
  return {
    async create(body: object): Promise<ConsoleCohort> {
      const made = await view.ask<ConsoleCohort>(pathOf(), { method: 'POST', body });
      if (typeof made.id !== 'number') throw new Error(`A cohort was answered ${JSON.stringify(made)}`);
      return made;
    },
    read: (id: number) => view.ask<ConsoleCohort>(pathOf(`${id}/`)),
    list: async () => (await view.ask<{ results: ConsoleCohort[] }>(pathOf())).results,
  };
}

const identify = (id: string, set: object) => ({
  event: '$identify',
  distinct_id: id,
  properties: { $anon_distinct_id: `before-${id}`, $set: set },
});

/** Sends three persons, two of whom pay. */
export async function sendThreePersons(view: OpenConsole): Promise<void> {
  await view.capture(
    identify('u_1', { name: 'Ana Reyes', email: 'ana@reyes.example', plan: 'studio' }),
    identify('u_2', { name: 'Greta Holm', email: 'greta@holm.example', plan: 'solo' }),
    identify('u_3', { name: 'Chidi Nwosu', email: 'chidi@nwosu.example', plan: 'free' }),
    { event: 'invoice paid', distinct_id: 'u_1' },
    { event: 'invoice paid', distinct_id: 'u_1' },
    { event: 'invoice paid', distinct_id: 'u_2' },
  );
}
