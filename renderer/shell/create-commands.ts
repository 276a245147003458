import { Plus } from '@lucide/vue';
import type { RouteLocationRaw } from 'vue-router';
import { RESOURCES } from '../composables/resources.ts';
import type { Command } from './command.ts';

/** The lines of the palette that create an object: each opens its form. */
export function createCommands(
  { projectId, isAdmin }: { projectId: number; isAdmin: boolean },
  open: (to: RouteLocationRaw) => void,
): Command[] {
  return RESOURCES.flatMap(({ one, icon: usual = Plus, create = [] }) =>
    create
      .filter(({ isForAdmins }) => isAdmin || !isForAdmins)
      .map(({ label = `New ${one}`, icon = usual, to }) => ({
        id: label,
        group: 'Create',
        label,
        icon,
        run: () => open({ ...to, params: { ...to.params, projectId } }),
      })),
  );
}
