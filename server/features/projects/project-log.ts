import type { Actor } from '../../http/define-route.ts';
import { changesBetween, type Change, type NewActivity } from '../../lib/activity.ts';
import type { Project } from './projects.store.ts';

/** What is the same in every entry of the activity log about a project. */
export function activityOf(actor: Actor, project: Project) {
  return {
    organizationId: actor.organizationId,
    projectId: project.id,
    userId: actor.user.id,
    scope: 'Project',
    itemId: String(project.id),
    name: project.name,
  } satisfies Partial<NewActivity>;
}

/** What changed of name, time zone and settings. */
export function changesOfSettings(before: Project, after: Project): Change[] {
  return changesBetween('Project', shown(before), shown(after, before));
}

/** The fields of a project in the activity log; of `known`, too, so that a setting that was taken away counts. */
function shown({ name, timezone, settings }: Project, known?: Project): Record<string, unknown> {
  const names = Object.keys(known?.settings ?? {});
  const absent = Object.fromEntries(names.map((setting) => [setting, null]));
  return { ...absent, ...settings, name, timezone };
}
