import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { recordActivities, type Change } from '../activity-log/index.ts';
import type { Override } from './flag-override.ts';

/** Notes in the history of flags that they were overridden, or are no longer; an override without a flag has no history. */
export type NoteOverrides = (
  tx: Statements,
  actor: Actor,
  activity: 'overridden' | 'override ended',
  overrides: readonly { readonly override: Override; readonly flagId: number | null }[],
) => Promise<void>;

export function createOverrideLog({ clock, newId }: { clock: Clock; newId: NewId }): NoteOverrides {
  return (tx, actor, activity, overrides) => {
    const now = clock();
    const entries = overrides.flatMap(({ override, flagId }) => {
      if (flagId === null) return [];
      return {
        id: newId(),
        now,
        organizationId: actor.organizationId,
        projectId: override.projectId,
        userId: actor.user.id,
        activity,
        scope: 'FeatureFlag' as const,
        itemId: String(flagId),
        name: override.flagKey,
        changes: [changeOf(override, activity === 'overridden')],
      };
    });
    return recordActivities(tx, entries);
  };
}

function changeOf(override: Override, isNew: boolean): Change {
  const told = toldOf(override);
  const field = { type: 'FeatureFlag', field: 'override' } as const;
  return isNew
    ? { ...field, action: 'created', before: null, after: told }
    : { ...field, action: 'deleted', before: told, after: null };
}

/** The log keeps whether an override is for one or for all, not for whom: it outlives a person's deletion. */
function toldOf({ value, payload, distinctId, expiresAt }: Override) {
  return {
    value,
    payload,
    for: distinctId === null ? 'everyone' : 'one distinct ID',
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
}
