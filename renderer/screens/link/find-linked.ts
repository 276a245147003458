import type { RouteLocationRaw } from 'vue-router';
import type { LinkScreen, LinkThing } from '../../../electron/channels.ts';
import { api } from '../../api/client.ts';
import { ApiFailure } from '../../api/http.ts';

/** Looks for a thing in one project; null when it is not there. */
type Find = (projectId: number, id: string) => Promise<RouteLocationRaw | null>;

/** The routes of screens, by their names in links. */
const SCREENS: Readonly<Record<LinkScreen, { name: string; params?: Record<string, string> }>> = {
  home: { name: 'home' },
  live: { name: 'live' },
  dashboards: { name: 'dashboards' },
  insights: { name: 'insights' },
  sql: { name: 'sql' },
  persons: { name: 'persons' },
  flags: { name: 'flags' },
  playground: { name: 'playground' },
  cohorts: { name: 'cohorts' },
  data: { name: 'data' },
  actions: { name: 'actions' },
  annotations: { name: 'annotations' },
  activity: { name: 'activity' },
  ingestion: { name: 'ingestion' },
  connect: { name: 'connect' },
  settings: { name: 'settings' },
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
  if (id === '') {
    if (!Object.hasOwn(SCREENS, name)) return null;
    const screen = SCREENS[name as LinkScreen];
    return { name: screen.name, params: { ...screen.params, projectId: first } };
  }
  if (!Object.hasOwn(THINGS, name)) return null;
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
