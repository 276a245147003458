import { UserRound } from '@lucide/vue';
import { listPersons } from '../../api/persons.api.ts';
import { askQuery } from '../../api/query.api.ts';
import type { ConsoleResource } from '../../composables/resources.ts';
import { formatAgo } from '../../ui/format.ts';
import { subtitleOf, titleOf } from '../../ui/person-labels.ts';

export const personResource = {
  noun: 'person',
  activity: 'Person',
  one: 'person',
  many: 'persons',
  icon: UserRound,
  order: 70,
  scope: { read: 'view persons and properties', write: 'edit and delete them' },
  list: 'persons',
  /** By name, email address or distinct ID. */
  async find(projectId, search, limit) {
    const { persons, hasNext } = await listPersons(projectId, { limit, search, isUncounted: true });
    const objects = persons.map((found) => ({
      id: found.uuid,
      label: titleOf(found),
      hint: subtitleOf(found),
      to: { name: 'person', params: { projectId, personId: found.uuid } },
    }));
    return { objects, count: hasNext ? null : objects.length };
  },
  async facts(projectId, objects) {
    const { results } = await askQuery(projectId, {
      kind: 'HogQLQuery',
      query: `SELECT person_id, max(timestamp) FROM events
        WHERE person_id IN {persons} AND timestamp > now() - INTERVAL 30 DAY GROUP BY person_id`,
      values: { persons: objects.map(({ id }) => id) },
    });
    const now = Date.now();
    return new Map((results as [string, string][]).map(([id, at]) => [id, `seen ${formatAgo(at, now)}`]));
  },
} satisfies ConsoleResource;
