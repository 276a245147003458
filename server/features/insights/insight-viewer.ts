import type { Actor } from '../../http/define-route.ts';
import { dashboardLevels, insightLevels, type Access, type DashboardLevels } from '../access/index.ts';
import type { Users } from '../users/index.ts';
import { basicInsightJson, insightJson, type InsightSurroundings } from './insight-json.ts';
import type { DashboardView, Placement } from './insight-placements.ts';
import type { BasicInsightJson, InsightJson } from './insights.contract.ts';
import type { InsightRow } from './insight-row.ts';

/** The viewer of an insight, and the dashboard on which it is viewed. */
export interface InsightLook {
  /** Null: an anonymous viewer of a shared page. */
  readonly actor: Actor | null;
  readonly placements: readonly Placement[];
  /** Filters of the dashboard on which it is viewed, which override those of the query. */
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  /** Values of variables that replace those of the query. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined;
  /** Its view on that dashboard, if any. */
  readonly view?: Pick<DashboardView, 'color' | 'layouts'> | null | undefined;
}

/** Converts insights to JSON for a caller; runs no statements. */
export interface InsightViewer {
  jsonOf(row: InsightRow, look: InsightLook): InsightJson;
  /** The same without what it answers. */
  basicJsonOf(row: InsightRow, look: InsightLook): BasicInsightJson;
  /** The actor's access to the dashboards of an insight. */
  levelsOf(
    actor: Actor,
    projectId: number,
    placements: readonly Placement[],
  ): ReturnType<typeof insightLevels>;
}

/** Access on a shared page: view (management contract 3.3). */
const SHARED = {
  effectiveRestrictionLevel: 37,
  effectivePrivilegeLevel: 21,
  userAccessLevel: null,
} as const;

export function createInsightViewer({ access, users }: { access: Access; users: Users }): InsightViewer {
  const levelsOf: InsightViewer['levelsOf'] = (actor, projectId, placements) => {
    const caller = { userId: actor.user.id, projectLevel: access.projectLevel(actor, projectId) };
    return insightLevels(
      placements.map((place): DashboardLevels =>
        dashboardLevels({ ...place, createdBy: place.dashboardCreatedBy }, caller),
      ),
    );
  };

  function surroundings(
    row: InsightRow,
    { actor, placements, filters, variables }: InsightLook,
  ): InsightSurroundings {
    const { projectId, createdBy, lastModifiedBy } = row;
    const personOf = users.embeddedFor(actor);
    const levels =
      actor === null
        ? SHARED
        : {
            ...levelsOf(actor, projectId, placements),
            userAccessLevel: access.levelOf(actor, projectId, 'insight', row),
          };
    return {
      createdBy: personOf(createdBy),
      lastModifiedBy: personOf(lastModifiedBy),
      placements,
      overrides: { filters, variables },
      ...levels,
    };
  }

  return {
    jsonOf: (row, look) => insightJson(row, surroundings(row, look), look.view),
    basicJsonOf: (row, look) => basicInsightJson(row, surroundings(row, look)),
    levelsOf,
  };
}
