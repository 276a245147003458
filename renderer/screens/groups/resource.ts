import { Building2 } from '@lucide/vue';
import { api } from '../../api/client.ts';
import type { ConsoleResource } from '../../composables/resources.ts';
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
} satisfies ConsoleResource;
