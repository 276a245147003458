import { Building2 } from '@lucide/vue';
import { api } from '../../api/client.ts';
import { askQuery } from '../../api/query.api.ts';
import type { ConsoleResource } from '../../composables/resources.ts';
import { formatCountOf } from '../../ui/format.ts';
import { groupTitleOf, singularOf } from '../../ui/group-labels.ts';

export const groupResource = {
  noun: 'group',
  activity: 'Group',
  one: 'group',
  many: 'groups',
  icon: Building2,
  order: 80,
  scope: { read: 'view companies, teams…', write: 'create and edit them' },
  list: 'groups',
  /** Of all types of a project, at most five, by key or name. */
  async find(projectId, search, limit) {
    const types = await api.get('P/groups_types/', { projectId });
    const pages = await Promise.all(
      types.map(async (type) => {
        const { group_type_index } = type;
        const query = { group_type_index, search: search || undefined, limit };
        const page = await api.get('P/groups/', { projectId, query });
        const objects = page.results.map((group) => ({
          id: `${group_type_index} ${group.group_key}`,
          label: groupTitleOf(group),
          hint: `${singularOf(type)} ${group.group_key}`,
          to: {
            name: 'group',
            params: { projectId, typeIndex: group_type_index, groupKey: group.group_key },
          },
          inList: { typeIndex: group_type_index },
        }));
        return { objects, hasNext: page.next !== null };
      }),
    );
    const objects = pages.flatMap((page) => page.objects);
    const isWhole = pages.every(({ hasNext }) => !hasNext);
    return { objects: objects.slice(0, limit), count: isWhole ? objects.length : null };
  },
  async facts(projectId, objects) {
    const types = [...new Set(objects.map(({ inList }) => Number(inList!['typeIndex'])))];
    const found = await Promise.all(
      types.map(async (index) => {
        const keys = objects.map(({ id }) => id).filter((id) => id.startsWith(`${index} `));
        const { results } = await askQuery(projectId, {
          kind: 'HogQLQuery',
          query: `SELECT $group_${index}, count(DISTINCT person_id) FROM events
            WHERE $group_${index} IN {keys} AND timestamp > now() - INTERVAL 30 DAY GROUP BY $group_${index}`,
          values: { keys: keys.map((id) => id.slice(String(index).length + 1)) },
        });
        return (results as [string, number][]).map(
          ([key, count]) => [`${index} ${key}`, `${formatCountOf(count, 'person')} in 30 days`] as const,
        );
      }),
    );
    return new Map(found.flat());
  },
} satisfies ConsoleResource;
