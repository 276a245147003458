import type { Db, Statements } from '../../db/db.ts';
import { ApiError, fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import { jsonText } from '../../lib/json-text.ts';
import type { Log } from '../../lib/log.ts';
import type { Access } from '../access/index.ts';
import type { DashboardTemplates, Template, TemplateTile } from '../dashboard-templates/index.ts';
import type { Insights } from '../insights/index.ts';
import type { StoredQuery } from '../query/index.ts';
import { duplicateTiles, repeatTiles, tilesSeenBy } from './copy-tiles.ts';
import type { DashboardFinder } from './dashboard-access.ts';
import { EMPTY_DASHBOARD, writtenOf } from './dashboard-content.ts';
import type { DashboardLog } from './dashboard-log.ts';
import type { CreateDashboardBody } from './dashboards.contract.ts';
import { listTiles } from './dashboards.reads.ts';
import {
  insertDashboard,
  type CreationMode,
  type DashboardContent,
  type DashboardRow,
} from './dashboards.store.ts';
import { addTiles, type TileTarget } from './save-tiles.ts';

/**
 * Stores the tiles of a template with their insights and texts, which have no creator (management contract 3.8). At most
 * six statements.
 */
async function addTemplateTiles(
  tx: Statements,
  tiles: readonly TemplateTile[],
  insights: Pick<Insights, 'create'>,
  actor: Actor,
  target: Omit<TileTarget, 'userId'>,
): Promise<void> {
  const insightsToCreate = tiles.flatMap((tile) =>
    tile.type === 'INSIGHT' ? [{ ...tile.insight, isSample: true }] : [],
  );
  const created = await insights.create(tx, actor, target.projectId, insightsToCreate);
  const ids = created.map(({ id }) => id).values();
  const news = tiles.map((tile) => ({
    layouts: jsonText(tile.layouts),
    color: tile.color,
    showDescription: tile.showDescription,
    filtersOverrides: tile.filtersOverrides && jsonText(tile.filtersOverrides),
    transparentBackground: tile.transparentBackground,
    insightId: tile.type === 'INSIGHT' ? ids.next().value! : null,
    body: tile.type === 'TEXT' ? tile.body : null,
  }));
  await addTiles(tx, news, { ...target, userId: null });
}

export interface DashboardMaker {
  /** Returns the id. Throws invalid_input for a template or a dashboard that is not there to be copied. */
  create(actor: Actor, projectId: number, body: CreateDashboardBody): Promise<number>;
  /** Makes a dashboard of a template that was sent; returns the id. */
  createFromTemplate(actor: Actor, projectId: number, template: Template): Promise<number>;
  /** The same within the transaction of what the dashboard is about. */
  addFromTemplate(tx: Statements, actor: Actor, projectId: number, template: Template): Promise<number>;
}

export interface MakerParts {
  db: Db;
  clock: Clock;
  log: Log;
  access: Access;
  templates: Pick<DashboardTemplates, 'findTemplate'>;
  insights: Pick<Insights, 'create' | 'duplicate' | 'checkQuery'>;
  finder: DashboardFinder;
  dashboardLog: DashboardLog;
}

/** The source of a new dashboard. */
interface Origin {
  readonly creationMode: CreationMode;
  readonly useTemplate: string;
  readonly useDashboard: number | null;
}
const NOWHERE: Origin = { creationMode: 'default', useTemplate: '', useDashboard: null };

export function createDashboardMaker(parts: MakerParts): DashboardMaker {
  const { db, clock, access, insights, finder, dashboardLog } = parts;

  /** The dashboard to be copied; one that the actor may not see counts as unknown. */
  async function findSource(tx: Statements, actor: Actor, projectId: number, id: number) {
    try {
      return (await finder.find(tx, actor, projectId, id)).row;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw fail('invalid_input', {
        attr: 'use_dashboard',
        detail: `Dashboard ${id} to duplicate does not exist.`,
      });
    }
  }

  async function findTemplate(projectId: number, key: string): Promise<Template> {
    const template = await parts.templates.findTemplate(projectId, key);
    if (template !== null) return template;
    throw fail('invalid_input', { attr: 'use_template', detail: `Template '${key}' does not exist.` });
  }

  /** Throws invalid_input that names the tile whose query could not be answered here. */
  async function checkTiles(projectId: number, { tiles }: Template): Promise<void> {
    for (const [at, tile] of tiles.entries()) {
      if (tile.type !== 'INSIGHT' || !tile.insight.query) continue;
      try {
        await insights.checkQuery(projectId, tile.insight.query as StoredQuery);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw fail(error.errorName, { detail: `tiles.${at}.query: ${error.message}` });
      }
    }
  }

  /** Stores a dashboard and what `fill` puts on it. */
  async function insert(
    tx: Statements,
    actor: Actor,
    projectId: number,
    dashboard: DashboardContent & Origin,
    fill: (target: { dashboardId: number; projectId: number; now: number }) => Promise<unknown>,
  ): Promise<number> {
    const now = clock();
    const id = await insertDashboard(tx, { projectId, createdBy: actor.user.id, ...dashboard }, now);
    await fill({ dashboardId: id, projectId, now });
    const made = { id, projectId, name: dashboard.name };
    await dashboardLog.record(tx, actor, { dashboard: made, activity: 'created' });
    return id;
  }

  /** Templates contain queries, so they need access to queries. */
  function checkMayQuery(actor: Actor, projectId: number, { tiles }: Template): void {
    if (tiles.some(({ type }) => type === 'INSIGHT')) access.check(actor, projectId, 'query', null, 'viewer');
  }

  function insertOfTemplate(
    tx: Statements,
    actor: Actor,
    projectId: number,
    template: Template,
    dashboard: DashboardContent & Origin,
  ): Promise<number> {
    const { tiles, skipped } = template;
    if (skipped.length > 0)
      parts.log.info({ template: template.name, types: skipped }, 'Tiles of a template were left out');
    return insert(tx, actor, projectId, { ...dashboard, ...applied(template, dashboard) }, (target) =>
      addTemplateTiles(tx, tiles, insights, actor, target),
    );
  }

  async function insertCopy(
    tx: Statements,
    actor: Actor,
    projectId: number,
    source: DashboardRow,
    body: CreateDashboardBody,
  ): Promise<number> {
    const { id, filters, variables } = source;
    const content = { ...EMPTY_DASHBOARD, filters, variables, ...writtenOf(body, source) };
    const origin: Origin = { ...NOWHERE, creationMode: 'duplicate', useDashboard: id };
    return insert(tx, actor, projectId, { ...content, ...origin }, async (target) => {
      const tiles = await listTiles(tx, id);
      if (!body.duplicate_tiles)
        return repeatTiles(tx, await tilesSeenBy(tx, tiles, { access, actor, projectId }), target);
      return duplicateTiles(tx, tiles, { access, insights, actor }, { ...target, userId: actor.user.id });
    });
  }

  return {
    async create(actor, projectId, body) {
      const { use_template: key, use_dashboard: sourceId } = body;
      const template = key ? await findTemplate(projectId, key) : null;
      if (template !== null) checkMayQuery(actor, projectId, template);
      return db.transaction(async (tx) => {
        if (sourceId) {
          const source = await findSource(tx, actor, projectId, sourceId);
          return insertCopy(tx, actor, projectId, source, body);
        }
        // A template has filters of its own.
        const { filters: _, ...others } = body;
        const written = writtenOf(template === null ? body : others);
        const content = { ...EMPTY_DASHBOARD, ...written, ...NOWHERE };
        if (template === null) return insert(tx, actor, projectId, content, () => Promise.resolve());
        const origin = { creationMode: 'template', useTemplate: key! } as const;
        return insertOfTemplate(tx, actor, projectId, template, { ...content, ...origin });
      });
    },
    async createFromTemplate(actor, projectId, template) {
      checkMayQuery(actor, projectId, template);
      await checkTiles(projectId, template);
      return db.transaction((tx) =>
        insertOfTemplate(tx, actor, projectId, template, { ...EMPTY_DASHBOARD, ...NOWHERE }),
      );
    },
    addFromTemplate: (tx, actor, projectId, template) =>
      insertOfTemplate(tx, actor, projectId, template, {
        ...EMPTY_DASHBOARD,
        ...NOWHERE,
        creationMode: 'template',
      }),
  };
}

/** What a template says of its dashboard: a name only where there is none (management contract 3.4). */
function applied(
  { name, description, filters, variables, tags }: Template,
  dashboard: DashboardContent,
): Partial<DashboardContent> {
  const own = JSON.parse(dashboard.tags) as string[];
  return {
    name: dashboard.name === '' ? name : dashboard.name,
    description,
    filters: jsonText(filters),
    ...(Object.keys(variables).length === 0 ? {} : { variables: jsonText(variables) }),
    tags: jsonText([...new Set([...own, ...tags])]),
  };
}
