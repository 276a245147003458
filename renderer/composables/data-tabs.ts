import type { RouteLocationRaw } from 'vue-router';

const KINDS = [
  ['events', 'Events'],
  ['properties', 'Event properties'],
  ['person-properties', 'Person properties'],
  ['group-properties', 'Group properties'],
] as const;

/** The tabs of the data screens: definitions, actions and annotations. */
export function dataTabs(projectId: number): { id: string; label: string; to: RouteLocationRaw }[] {
  return [
    ...KINDS.map(([id, label]) => ({ id, label, to: { name: 'data', params: { projectId, kind: id } } })),
    { id: 'actions', label: 'Actions', to: { name: 'actions', params: { projectId } } },
    { id: 'annotations', label: 'Annotations', to: { name: 'annotations', params: { projectId } } },
  ];
}
