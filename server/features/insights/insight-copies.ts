import type { Statements } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { jsonText } from '../../lib/json-text.ts';
import type { Change } from '../activity-log/index.ts';
import type { RecordInsights } from './insight-log.ts';
import { insertInsights, listInsightsById, setInsightsDeleted } from './insights.store.ts';
import type { InsightRow, NewInsightRow } from './insight-row.ts';
import { insightResource } from './insights.resource.ts';

/** The fields of a new insight; an omitted one is empty. */
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
  /** Created from a template: without a creator, and a sample until it is changed. */
  readonly isSample?: boolean | undefined;
}

/** Operations of other features on many insights, in their own transactions. */
export interface InsightCopies {
  /** Live insights of a project by their ids, in no order; one statement. */
  listByIds(statements: Statements, projectId: number, ids: readonly number[]): Promise<InsightRow[]>;
  /** Stores insights; the rows are in the order of what was given. */
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

export function createInsightCopies({
  clock,
  newShortId,
  record,
}: {
  clock: Clock;
  newShortId: () => string;
  record: RecordInsights;
}): InsightCopies {
  async function insert(tx: Statements, actor: Actor, rows: readonly NewInsightRow[]): Promise<InsightRow[]> {
    const made = await insertInsights(tx, rows, clock());
    await record(tx, actor, 'created', made);
    return made;
  }

  const listByIds: InsightCopies['listByIds'] = async (statements, projectId, ids) =>
    (await listInsightsById(statements, projectId, ids)).filter(({ deleted }) => !deleted);

  return {
    listByIds,
    create: (tx, actor, projectId, insights) =>
      insert(
        tx,
        actor,
        insights.map((insight) => ({
          ...newRow(insight, actor.user.id),
          projectId,
          shortId: newShortId(),
        })),
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
        type: insightResource.activity,
        action: 'changed',
        field: 'deleted',
        before: !deleted,
        after: deleted,
      };
      await record(tx, actor, deleted ? 'deleted' : 'restored', changed, [change]);
    },
  };
}

function newRow(insight: NewInsight, userId: number): Omit<NewInsightRow, 'projectId' | 'shortId'> {
  const { filters = {}, query = null, isSample = false } = insight;
  return {
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
    createdBy: isSample ? null : userId,
  };
}

const MAX_NAME_LENGTH = 400;
const COPY = ' (Copy)';

/** A missing name stays missing (management contract 3.4). */
function copyOf(row: InsightRow, owner: { shortId: string; createdBy: number }): NewInsightRow {
  const { projectId, derivedName, description, filters, query, position, tags, favorited, saved } = row;
  const name = row.name ? row.name.slice(0, MAX_NAME_LENGTH - COPY.length).toWellFormed() + COPY : row.name;
  const content = { projectId, name, derivedName, description, filters, query, position, tags };
  return { ...content, favorited, saved, isSample: false, ...owner };
}
