import { expect } from 'vitest';
import type { RunningServer } from './start-server.ts';

type Asked = Pick<RunningServer, 'url' | 'personalApiKey' | 'projectId'>;

/** A person as `P/persons/` lists it (management contract 9.3). */
export interface ListedPerson {
  id: number;
  uuid: string;
  name: string;
  distinct_ids: string[];
  properties: Record<string, unknown>;
  created_at: string;
  is_identified: boolean;
}

/** A group as `P/groups/` lists it (management contract 9.4). */
export interface ListedGroup {
  group_type_index: number;
  group_key: string;
  group_properties: Record<string, unknown>;
  created_at: string;
}

/** The person that a distinct id belongs to, or null. */
export async function findPerson(server: Asked, distinctId: string): Promise<ListedPerson | null> {
  const query = new URLSearchParams({ distinct_id: distinctId });
  const page = (await getJson(server, `persons/?${query}`)) as { results: ListedPerson[] };
  expect(page.results.length).toBeLessThanOrEqual(1);
  return page.results[0] ?? null;
}

/** As findPerson; fails when there is none. */
export async function getPerson(server: Asked, distinctId: string): Promise<ListedPerson> {
  const person = await findPerson(server, distinctId);
  if (person === null) throw new Error(`No person has the distinct id ${distinctId}`);
  return person;
}

/** How many persons there are. */
export async function countPersons(server: Asked): Promise<number> {
  const page = (await getJson(server, 'persons/?include_total=true&limit=1')) as { count: number };
  return page.count;
}

/** The group of that type and key, or null. */
export async function findGroup(server: Asked, type: string, key: string): Promise<ListedGroup | null> {
  const types = (await getJson(server, 'groups_types/')) as {
    group_type: string;
    group_type_index: number;
  }[];
  const index = types.find(({ group_type }) => group_type === type)?.group_type_index;
  if (index === undefined) return null;
  const page = (await getJson(server, `groups/?group_type_index=${index}`)) as { results: ListedGroup[] };
  return page.results.find(({ group_key }) => group_key === key) ?? null;
}

async function getJson(server: Asked, path: string): Promise<unknown> {
  const answer = await fetch(`${server.url}/api/projects/${server.projectId}/${path}`, {
    headers: { Authorization: `Bearer ${server.personalApiKey}` },
  });
  if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}
