import type { Statements } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import type { AnswerOptions, InsightAnswers, Insights, InsightJson } from '../insights/index.ts';
import type { Users } from '../users/index.ts';
import type { DashboardAccess } from './dashboard-access.ts';
import { dashboardJsonOf, type DashboardSurroundings, type Overrides } from './dashboard-json.ts';
import type { DashboardJson, TileJson } from './dashboards.contract.ts';
import {
  findDashboard,
  listKnownVariables,
  listPlacementsOnDashboard,
  listTiles,
  type SeenDashboard,
  type TileRow,
} from './dashboards.reads.ts';
import { filtersOfTile, placementsByInsight } from './insight-placements.ts';
import { latestVariables } from './latest-variables.ts';
import { tilesJsonOf } from './tile-json.ts';
import type { LayoutSize } from './tile-order.ts';

/** Tiles with what their insights answer, each as soon as it is there, in their order (management contract 3.4, 3.6). */
async function* answerTiles(
  answers: Pick<InsightAnswers, 'fill'>,
  projectId: number,
  tiles: readonly TileJson[],
  options: AnswerOptions,
): AsyncGenerator<TileJson> {
  const insights = tiles.flatMap(({ insight }) => (insight === null ? [] : [insight as InsightJson]));
  const filled = answers.fill(projectId, insights, options);
  for (const tile of tiles) {
    if (tile.insight === null) yield tile;
    else yield answered(tile, (await filled.next()).value as InsightJson);
  }
}

function answered(tile: TileJson, insight: InsightJson): TileJson {
  const { error, error_message: message } = insight.query_status ?? {};
  return {
    ...tile,
    insight,
    last_refresh: insight.last_refresh,
    is_cached: insight.is_cached,
    ...(error === true ? { error: { type: 'QueryError', message: String(message) } } : {}),
  };
}

export interface ShowOptions extends Overrides {
  /** Whether and how tiles are answered; left out: they are not. */
  answers?: Pick<AnswerOptions, 'refresh' | 'unasked' | 'signal'> | undefined;
  /** Whose layout decides the order of the tiles. Default sm. */
  layoutSize?: LayoutSize | undefined;
}

/** Says what is laid over a dashboard, which has no answers yet; null: nothing. */
export type Lay = (dashboard: DashboardJson) => Promise<Overrides | null>;

/** A dashboard behind a link; `maker` turned it on, and insights that are hidden from the maker are hidden here. */
export interface SharedDashboard {
  readonly projectId: number;
  readonly id: number;
  readonly maker: Actor;
}

export interface DashboardReader {
  /** A dashboard with its tiles and insights: three statements, or four, whatever their number, in two turns. */
  jsonOf(actor: Actor, found: DashboardAccess, options?: ShowOptions): Promise<DashboardJson>;
  /** The same without answers, and its tiles with theirs, one after the other. */
  stream(
    actor: Actor,
    found: DashboardAccess,
    options: ShowOptions & Required<Pick<ShowOptions, 'answers'>>,
  ): Promise<{ dashboard: DashboardJson; tiles: AsyncIterable<TileJson> }>;
  /** The dashboard as its shared page shows it (management contract 4.3). Throws not_found, and what `lay` throws. */
  publicJson(share: SharedDashboard, signal: AbortSignal, lay?: Lay): Promise<DashboardJson>;
}

export interface ReaderParts {
  /** Of dashboards, tiles, insights and links: what was read before, while it is still so. */
  reads: Statements;
  clock: Clock;
  users: Users;
  access: Pick<Access, 'levelOf'>;
  insights: Pick<Insights, 'listByIds' | 'jsonOf'>;
  answers: InsightAnswers;
}

type Json = Readonly<Record<string, unknown>>;

/** A user ID that no collaborator has. */
const NO_USER = 0;

export function createDashboardReader({
  reads,
  clock,
  users,
  access,
  insights,
  answers,
}: ReaderParts): DashboardReader {
  /** Looks for the project's variables only when the dashboard has any. */
  async function variablesOf(row: SeenDashboard, override: Overrides['variables']): Promise<Json> {
    const variables = override ?? (JSON.parse(row.variables) as Json);
    if (Object.keys(variables).length === 0) return variables;
    return latestVariables(variables, await listKnownVariables(reads, row.projectId));
  }

  async function show(
    row: SeenDashboard,
    actor: Actor | null,
    around: Omit<DashboardSurroundings, 'createdBy'>,
    { layoutSize, filters: override, variables: others }: ShowOptions = {},
    maker: Actor | null = actor,
  ): Promise<DashboardJson> {
    const { id, projectId, createdBy } = row;
    const listed = listTiles(reads, id);
    const [rows, stored, placed, variables] = await Promise.all([
      listed,
      listed.then((tiles) =>
        insights.listByIds(
          reads,
          projectId,
          tiles.flatMap(({ insightId }) => insightId ?? []),
        ),
      ),
      listPlacementsOnDashboard(reads, actor?.user.id ?? NO_USER, id),
      variablesOf(row, others),
    ]);
    const byId = new Map(stored.map((insight) => [insight.id, insight]));
    const places = placementsByInsight(placed);
    const filters = { ...(JSON.parse(row.filters) as Json), ...override };
    const insightOf = ({ insightId, filtersOverrides }: TileRow) => {
      const insight = byId.get(insightId!);
      if (insight === undefined) return null;
      const own = filtersOverrides === null ? {} : (JSON.parse(filtersOverrides) as Json);
      const placements = places.get(insight.id) ?? [];
      const shown = insights.jsonOf(insight, { actor, placements, filters: filtersOfTile(filters, own) });
      // An insight that is hidden from a user is hidden on dashboards, and behind links which that user created.
      const seen = maker === actor ? shown : insights.jsonOf(insight, { actor: maker, placements });
      return seen.user_access_level === 'none' ? null : shown;
    };
    const personOf = users.embeddedFor(actor);
    const tiles = tilesJsonOf(rows, { projectId, personOf, layoutSize, insightOf });
    const surroundings = { ...around, createdBy: personOf(createdBy) };
    return dashboardJsonOf(row, surroundings, tiles, { filters: override, variables });
  }

  function tilesOf(
    { tiles, variables }: DashboardJson,
    actor: Actor,
    projectId: number,
    options: ShowOptions,
  ) {
    return options.answers === undefined
      ? null
      : answerTiles(answers, projectId, tiles, { ...options.answers, actor, variables });
  }

  async function answeredJson(
    dashboard: DashboardJson,
    actor: Actor,
    projectId: number,
    options: ShowOptions,
  ): Promise<DashboardJson> {
    const answered = tilesOf(dashboard, actor, projectId, options);
    if (answered === null) return dashboard;
    const tiles: TileJson[] = [];
    for await (const tile of answered) tiles.push(tile);
    return { ...dashboard, tiles };
  }

  return {
    async jsonOf(actor, { row, levels, userAccessLevel }, options = {}) {
      const dashboard = await show(row, actor, { levels, userAccessLevel }, options);
      return await answeredJson(dashboard, actor, row.projectId, options);
    },
    async stream(actor, { row, levels, userAccessLevel }, options) {
      const dashboard = await show(row, actor, { levels, userAccessLevel }, options);
      return { dashboard, tiles: tilesOf(dashboard, actor, row.projectId, options)! };
    },
    async publicJson({ projectId, id, maker }, signal, lay) {
      const row = await findDashboard(reads, projectId, id, { userId: NO_USER, now: clock() });
      if (row === null || row.deleted) throw fail('not_found');
      if (access.levelOf(maker, projectId, 'dashboard', row) === 'none') throw fail('not_found');
      const around = { levels: SHARED, userAccessLevel: null };
      const plain = await show(row, null, around, {}, maker);
      const overrides = (await lay?.(plain)) ?? null;
      const dashboard = overrides === null ? plain : await show(row, null, around, overrides, maker);
      return await answeredJson(dashboard, maker, projectId, { answers: { refresh: undefined, signal } });
    },
  };
}

/** Access of anonymous viewers of a shared dashboard: view (management contract 3.3). */
const SHARED = { effectiveRestrictionLevel: 37, effectivePrivilegeLevel: 21 } as const;
