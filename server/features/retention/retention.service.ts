import type { ServiceChannel } from '../../db/client.ts';
import type { Db } from '../../db/db.ts';
import type { Actor, ProjectRef } from '../../http/define-route.ts';
import { changesBetween } from '../../lib/activity.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { StoredEvents } from '../../warehouse/duckdb/event-sizes.ts';
import type { RetentionLimits } from '../../warehouse/duckdb/retention-plan.ts';
import type { RetentionPreview } from '../../warehouse/duckdb/retention-preview.ts';
import type { RetentionState } from '../../warehouse/duckdb/retention.ts';
import type { StorageReport } from '../../warehouse/duckdb/upkeep.ts';
import { recordActivity } from '../activity-log/index.ts';
import { findRetention, saveRetention, type StoredRetention } from './retention.store.ts';

/** Limits of a project, how far they are applied, and what it has stored. */
export interface RetentionNow {
  stored: StoredRetention | null;
  state: RetentionState;
  events: StoredEvents;
}

export interface RetentionService {
  read(projectId: number): Promise<RetentionNow>;
  /** Sets the limits; the thread of the store applies them from now on, first within about a second. */
  set(actor: Actor, project: ProjectRef, limits: RetentionLimits): Promise<void>;
  /** What the limits would delete now; of those stored when null. */
  preview(
    projectId: number,
    limits: RetentionLimits | null,
  ): Promise<{ limits: RetentionLimits; preview: RetentionPreview }>;
}

const NO_LIMITS: RetentionLimits = { maxDays: null, maxGb: null };
const NOTHING: StoredEvents = { events: 0, oldest: null, newest: null, estimatedBytes: 0 };

/** `channel` leads to the thread of the store. */
export function createRetention(deps: {
  db: Db;
  channel: ServiceChannel;
  clock: Clock;
  newId: NewId;
}): RetentionService {
  const { db, channel, clock, newId } = deps;
  return {
    async read(projectId) {
      const [stored, state, report] = await Promise.all([
        findRetention(db, projectId),
        channel.call<RetentionState>({ kind: 'retention.state', projectId }),
        channel.call<StorageReport>({ kind: 'storage.report' }),
      ]);
      const events = report.projects.find((project) => project.projectId === projectId) ?? NOTHING;
      return { stored, state, events };
    },
    async set(actor, { id: projectId, name }, limits) {
      await db.transaction(async (tx) => {
        const before = await findRetention(tx, projectId);
        await saveRetention(tx, { projectId, limits, now: clock() });
        const changes = changesBetween('Project', wireLimits(before ?? NO_LIMITS), wireLimits(limits));
        if (changes.length > 0)
          await recordActivity(tx, {
            id: newId(),
            now: clock(),
            organizationId: actor.organizationId,
            projectId,
            userId: actor.user.id,
            activity: 'updated',
            scope: 'Project',
            itemId: String(projectId),
            name,
            changes,
          });
      });
      await channel.call({ kind: 'retention.apply' });
    },
    async preview(projectId, limits) {
      const { maxDays, maxGb } = limits ?? (await findRetention(db, projectId)) ?? NO_LIMITS;
      const asked = { maxDays, maxGb };
      const preview = await channel.call<RetentionPreview>({
        kind: 'retention.preview',
        projectId,
        limits: asked,
      });
      return { limits: asked, preview };
    },
  };
}

/** Limits by the names of the API, as the activity log shows them. */
function wireLimits({ maxDays, maxGb }: RetentionLimits): Record<string, unknown> {
  return { retention_max_days: maxDays, retention_max_gb: maxGb };
}
