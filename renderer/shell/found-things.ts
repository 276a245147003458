import { api } from '../api/client.ts';
import { listDashboards } from '../api/dashboards.api.ts';
import { listPersons } from '../api/persons.api.ts';
import { subtitleOf, titleOf } from '../ui/person-labels.ts';
import type { Found } from './use-found-commands.ts';

/** How many things of one kind the palette shows. */
const MOST = 6;

/** Persons by name, e-mail address or distinct id. */
export async function findPersons(projectId: number, search: string): Promise<Found[]> {
  const { persons } = await listPersons(projectId, { limit: MOST, search, isUncounted: true });
  return persons.map((person) => ({
    id: person.uuid,
    label: titleOf(person),
    hint: subtitleOf(person),
    to: { name: 'person', params: { projectId, personId: person.uuid } },
  }));
}

/** Flags by key and by what they are for. */
export async function findFlags(projectId: number, search: string): Promise<Found[]> {
  const { results } = await api.get('P/feature_flags/', { projectId, query: { limit: MOST, search } });
  return results.map(({ id, key, name, active }) => ({
    id: String(id),
    label: key,
    hint: active ? name : 'off',
    to: { name: 'flag', params: { projectId, flagId: id } },
  }));
}

/** Cohorts by name and by what they are for. */
export async function findCohorts(projectId: number, search: string): Promise<Found[]> {
  const { results } = await api.get('P/cohorts/', { projectId, query: { limit: MOST, search } });
  return results.map(({ id, name, description }) => ({
    id: String(id),
    label: name || `Cohort ${id}`,
    hint: description,
    to: { name: 'cohort', params: { projectId, cohortId: id } },
  }));
}

/** Dashboards by name and by what they are for. */
export async function findDashboards(projectId: number, search: string): Promise<Found[]> {
  const found = await listDashboards(projectId, search);
  return found.slice(0, MOST).map(({ id, name, description }) => ({
    id: String(id),
    label: name || `Dashboard ${id}`,
    hint: description,
    to: { name: 'dashboard', params: { projectId, dashboardId: id } },
  }));
}

/** Actions by name and by what they mean. */
export async function findActions(projectId: number, search: string): Promise<Found[]> {
  const { results } = await api.get('P/actions/', { projectId, query: { limit: MOST, search } });
  return results.map(({ id, name, description }) => ({
    id: String(id),
    label: name,
    hint: description,
    to: { name: 'action', params: { projectId, actionId: id } },
  }));
}
