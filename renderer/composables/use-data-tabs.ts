import { useRouter, type RouteLocationRaw } from 'vue-router';

const KINDS = [
  ['events', 'Events'],
  ['properties', 'Event properties'],
  ['person-properties', 'Person properties'],
  ['group-properties', 'Group properties'],
] as const;

/** The tabs of the data of a project: its definitions, and the screens below them that can be navigated to. */
export function useDataTabs(projectId: number): { id: string; label: string; to: RouteLocationRaw }[] {
  const screens = useRouter()
    .getRoutes()
    .filter(({ meta }) => meta.parent === 'data' && meta.navigation)
    .toSorted((a, b) => a.meta.navigation!.order - b.meta.navigation!.order);
  return [
    ...KINDS.map(([id, label]) => ({ id, label, to: { name: 'data', params: { projectId, kind: id } } })),
    ...screens.map(({ name, meta }) => ({
      id: String(name),
      label: meta.title,
      to: { name: name!, params: { projectId } },
    })),
  ];
}
