import type { RouteLocationRaw } from 'vue-router';
import { LINK_SCREENS, type LinkScreen, type LinkThing } from '../../../electron/channels.ts';
import { api } from '../../api/client.ts';
import { ApiFailure } from '../../api/http.ts';

/** Looks for a thing in one project; null when it is not there. */
type Find = (projectId: number, id: string) => Promise<RouteLocationRaw | null>;

/** A screen is called as its route is, but for these. */
const ROUTES: Partial<Record<LinkScreen, { name: string; params: Record<string, string> }>> = {
  storage: { name: 'settings', params: { page: 'storage' } },
};

const THINGS: Readonly<Record<Exclude<LinkThing, 'shared'>, Find>> = {
  action: async (projectId, id) => {
    await api.get('P/actions/:id/', { projectId, id });
    return { name: 'action', params: { projectId, actionId: id } };
  },
  cohort: async (projectId, id) => {
    await api.get('P/cohorts/:id/', { projectId, id });
    return { name: 'cohort', params: { projectId, cohortId: id } };
  },
  dashboard: async (projectId, id) => {
    await api.get('P/dashboards/:id/', { projectId, id });
    return { name: 'dashboard', params: { projectId, dashboardId: id } };
  },
  flag: async (projectId, id) => {
    await api.get('P/feature_flags/:id/', { projectId, id });
    return { name: 'flag', params: { projectId, flagId: id } };
  },
  insight: async (projectId, id) => {
    const { results } = await api.get('P/insights/', { projectId, query: { short_id: id } });
    return results.length === 0 ? null : { name: 'insight', params: { projectId, insightId: id } };
  },
  person: async (projectId, id) => {
    const { results } = await api.get('P/persons/', { projectId, query: { distinct_id: id } });
    const [person] = results;
    return person === undefined ? null : { name: 'person', params: { projectId, personId: person.id } };
  },
};

/**
 * Where a link leads: to a screen of the first of these projects, or to a thing in the first one that has it. Null when none
 * has. Throws what a request throws that is answered with anything but "there is none".
 */
export async function findLinked(
  name: string,
  id: string,
  projectIds: readonly number[],
): Promise<RouteLocationRaw | null> {
  const [first] = projectIds;
  if (first === undefined) return null;
  const screen = LINK_SCREENS.find((known) => known === name);
  if (screen !== undefined && id === '') {
    const { name: route, params } = ROUTES[screen] ?? { name: screen, params: {} };
    return { name: route, params: { ...params, projectId: first } };
  }
  if (!Object.hasOwn(THINGS, name) || id === '') return null;
  const find = THINGS[name as keyof typeof THINGS];
  for (const projectId of projectIds) {
    const found = await find(projectId, id).catch((error: unknown) => {
      if (error instanceof ApiFailure && [400, 403, 404].includes(error.status)) return null;
      throw error;
    });
    if (found !== null) return found;
  }
  return null;
}
