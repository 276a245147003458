import type { Db, Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import { jsonText } from '../../lib/json-text.ts';
import { dashboardLevels, insightLevels, type Access } from '../access/index.ts';
import { recordActivities, type Change } from '../activity-log/index.ts';
import type { Users } from '../users/index.ts';
import { basicInsightJson, insightJson, type InsightSurroundings } from './insight-json.ts';
import type { DashboardView, InsightPlacements, Placement } from './insight-placements.ts';
import type { BasicInsightJson, InsightJson } from './insights.contract.ts';
import {
  insertInsights,
  listInsightsById,
  setInsightsDeleted,
  type InsightRow,
  type NewInsightRow,
} from './insights.store.ts';

/** What can be said of an insight when it is made; what is left out is empty. */
export interface NewInsight {
  readonly name?: string | null | undefined;
  readonly derivedName?: string | null | undefined;
  readonly description?: string | undefined;
  /** The old form of a question. */
  readonly filters?: Readonly<Record<string, unknown>> | undefined;
  readonly query?: Readonly<Record<string, unknown>> | null | undefined;
  readonly position?: number | null | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly favorited?: boolean | undefined;
  readonly saved?: boolean | undefined;
  /** Made from a template: without a creator, and a sample until somebody changes it. */
  readonly isSample?: boolean | undefined;
}

/** Who looks at an insight; a null actor: nobody who is signed in, on a shared page. */
export interface InsightLook {
  readonly actor: Actor | null;
  readonly placements: readonly Placement[];
  /** The dashboard on which it is looked at, when one was asked for. */
  readonly view?: DashboardView | null;
}

export interface Insights {
  /** Live insights of a project by their ids, in no order; one statement. */
  listByIds(statements: Statements, projectId: number, ids: readonly number[]): Promise<InsightRow[]>;
  /** An insight as the one who asks sees it; no statement. */
  jsonOf(row: InsightRow, look: InsightLook): InsightJson;
  /** The same without what it answers. */
  basicJsonOf(row: InsightRow, look: InsightLook): BasicInsightJson;
  /** Stores insights in the caller's transaction; the rows are in the order of what was given. */
  create(
    tx: Statements,
    actor: Actor,
    projectId: number,
    insights: readonly NewInsight[],
  ): Promise<InsightRow[]>;
  /** Copies live insights as ones of the actor's; returns the id of each copy by that of its original. */
  duplicate(
    tx: Statements,
    actor: Actor,
    projectId: number,
    ids: readonly number[],
  ): Promise<Map<number, number>>;
  /** Deletes insights softly, or brings them back. */
  setDeleted(
    tx: Statements,
    actor: Actor,
    projectId: number,
    ids: readonly number[],
    deleted: boolean,
  ): Promise<void>;
}

export interface InsightParts {
  db: Db;
  clock: Clock;
  newId: NewId;
  /** Makes the id that stands in addresses, eight characters. */
  newShortId: () => string;
  access: Access;
  users: Users;
  placements: InsightPlacements;
}

export function createInsights({ clock, newId, newShortId, access, users }: InsightParts): Insights {
  /** What the one who asks may do with it, and who stands in it. */
  function surroundings(row: InsightRow, { actor, placements }: InsightLook): InsightSurroundings {
    const { projectId, createdBy, lastModifiedBy } = row;
    const people = { createdBy: users.embedded(createdBy), lastModifiedBy: users.embedded(lastModifiedBy) };
    if (actor === null) {
      // The shared page: for looking at, by anybody (management contract 3.3).
      const levels = { effectiveRestrictionLevel: 37, effectivePrivilegeLevel: 21 } as const;
      return { ...people, placements, ...levels, userAccessLevel: null };
    }
    const caller = { userId: actor.user.id, projectLevel: access.projectLevel(actor, projectId) };
    const levels = placements.map(({ restrictionLevel, dashboardCreatedBy, collaboratorLevel }) =>
      dashboardLevels({ restrictionLevel, createdBy: dashboardCreatedBy, collaboratorLevel }, caller),
    );
    const userAccessLevel = access.levelOf(actor, projectId, 'insight', row);
    return { ...people, placements, ...insightLevels(levels), userAccessLevel };
  }

  async function record(
    tx: Statements,
    actor: Actor,
    activity: string,
    rows: readonly InsightRow[],
    changes: readonly Change[] = [],
  ): Promise<void> {
    await recordActivities(
      tx,
      rows.map((row) => ({
        id: newId(),
        now: clock(),
        organizationId: actor.organizationId,
        projectId: row.projectId,
        userId: actor.user.id,
        activity,
        scope: 'Insight' as const,
        itemId: String(row.id),
        name: row.name ?? row.derivedName,
        shortId: row.shortId,
        changes,
      })),
    );
  }

  function newRow(actor: Actor, projectId: number, insight: NewInsight): NewInsightRow {
    const { filters = {}, query = null, isSample = false } = insight;
    return {
      projectId,
      shortId: newShortId(),
      name: insight.name ?? null,
      derivedName: insight.derivedName ?? null,
      description: insight.description ?? '',
      filters: jsonText(filters),
      query: query === null ? null : jsonText(query),
      position: insight.position ?? null,
      tags: jsonText(insight.tags ?? []),
      favorited: insight.favorited ?? false,
      saved: insight.saved ?? false,
      isSample,
      createdBy: isSample ? null : actor.user.id,
    };
  }

  async function insert(tx: Statements, actor: Actor, rows: readonly NewInsightRow[]): Promise<InsightRow[]> {
    const made = await insertInsights(tx, rows, clock());
    await record(tx, actor, 'created', made);
    return made;
  }

  const listByIds: Insights['listByIds'] = async (statements, projectId, ids) =>
    (await listInsightsById(statements, projectId, ids)).filter(({ deleted }) => !deleted);

  return {
    listByIds,
    jsonOf: (row, look) => insightJson(row, surroundings(row, look), look.view),
    basicJsonOf: (row, look) => basicInsightJson(row, surroundings(row, look)),
    create: (tx, actor, projectId, insights) =>
      insert(
        tx,
        actor,
        insights.map((insight) => newRow(actor, projectId, insight)),
      ),
    async duplicate(tx, actor, projectId, ids) {
      const originals = await listByIds(tx, projectId, ids);
      const copies = await insert(
        tx,
        actor,
        originals.map((row) => copyOf(row, { shortId: newShortId(), createdBy: actor.user.id })),
      );
      return new Map(originals.map(({ id }, index) => [id, copies[index]!.id]));
    },
    async setDeleted(tx, actor, projectId, ids, deleted) {
      const changed = await setInsightsDeleted(tx, { projectId, ids, deleted, now: clock() });
      const change: Change = {
        type: 'Insight',
        action: 'changed',
        field: 'deleted',
        before: !deleted,
        after: deleted,
      };
      await record(tx, actor, deleted ? 'deleted' : 'restored', changed, [change]);
    },
  };
}

const MAX_NAME_LENGTH = 400;
const COPY = ' (Copy)';

/** A name that is none stays none (management contract 3.4). */
function copyOf(row: InsightRow, owner: { shortId: string; createdBy: number }): NewInsightRow {
  const { projectId, derivedName, description, filters, query, position, tags, favorited, saved } = row;
  const name = row.name ? row.name.slice(0, MAX_NAME_LENGTH - COPY.length).toWellFormed() + COPY : row.name;
  const content = { projectId, name, derivedName, description, filters, query, position, tags };
  return { ...content, favorited, saved, isSample: false, ...owner };
}
