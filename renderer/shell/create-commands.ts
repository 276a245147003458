import {
  CircleDashed,
  FileUp,
  Flag,
  KeyRound,
  LayoutDashboard,
  LayoutTemplate,
  MousePointerClick,
  StickyNote,
  UserPlus,
} from '@lucide/vue';
import type { Component } from 'vue';
import type { RouteLocationRaw } from 'vue-router';
import { kindOfQuery, KINDS } from '../insights/kinds.ts';
import type { Command } from './command.ts';

interface Creation {
  id: string;
  label: string;
  icon: Component;
  /** The route of its open form. */
  to: { name: string; params?: Record<string, string>; query?: Record<string, string> };
  isForAdmins?: true;
}

const CREATIONS: readonly Creation[] = [
  {
    id: 'dashboard',
    label: 'New dashboard',
    icon: LayoutDashboard,
    to: { name: 'dashboards', query: { new: 'blank' } },
  },
  {
    id: 'dashboard-template',
    label: 'New dashboard from template',
    icon: LayoutTemplate,
    to: { name: 'dashboards', query: { new: 'template' } },
  },
  {
    id: 'dashboard-file',
    label: 'New dashboard from file',
    icon: FileUp,
    to: { name: 'dashboards', query: { new: 'file' } },
  },
  ...KINDS.map(({ id, noun, icon }, at): Creation => {
    const label = at === 0 ? 'New insight' : `New ${noun.toLowerCase()} insight`;
    const query: Record<string, string> = at === 0 ? {} : { kind: id };
    return { id: `insight-${id}`, label, icon, to: { name: 'insight', params: { insightId: 'new' }, query } };
  }),
  {
    id: 'insight-sql',
    label: 'New SQL insight',
    icon: kindOfQuery({ kind: 'HogQLQuery' }).icon,
    to: { name: 'sql' },
  },
  { id: 'flag', label: 'New flag', icon: Flag, to: { name: 'flag', params: { flagId: 'new' } } },
  {
    id: 'cohort',
    label: 'New cohort',
    icon: CircleDashed,
    to: { name: 'cohort', params: { cohortId: 'new' } },
  },
  {
    id: 'action',
    label: 'New action',
    icon: MousePointerClick,
    to: { name: 'action', params: { actionId: 'new' } },
  },
  {
    id: 'annotation',
    label: 'New annotation',
    icon: StickyNote,
    to: { name: 'annotations', query: { open: 'new' } },
  },
  {
    id: 'key',
    label: 'New personal API key',
    icon: KeyRound,
    to: { name: 'settings', params: { page: 'keys' }, query: { new: '' } },
  },
  {
    id: 'member',
    label: 'New member',
    icon: UserPlus,
    to: { name: 'settings', params: { page: 'members' }, query: { new: '' } },
    isForAdmins: true,
  },
];

/** The lines of the palette that make something: each opens its form. */
export function createCommands(
  { projectId, isAdmin }: { projectId: number; isAdmin: boolean },
  open: (to: RouteLocationRaw) => void,
): Command[] {
  return CREATIONS.filter(({ isForAdmins }) => isAdmin || !isForAdmins).map(({ id, label, icon, to }) => ({
    id: `new-${id}`,
    group: 'Create',
    label,
    icon,
    run: () => open({ ...to, params: { ...to.params, projectId } }),
  }));
}
