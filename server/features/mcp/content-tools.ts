import { z } from 'zod';
import { stringifyExactly } from '../../lib/exact-number.contract.ts';
import { answerText } from './answer-text.ts';
import { defineTool, inPath, page, pageText, pick, type Tool } from './tool.ts';

const INSIGHT_LIST_FIELDS = [
  'id',
  'short_id',
  'name',
  'derived_name',
  'description',
  'dashboards',
  'tags',
  'favorited',
];
const INSIGHT_FIELDS = [...INSIGHT_LIST_FIELDS, 'query', 'created_at', 'last_modified_at'];
const DASHBOARD_LIST_FIELDS = ['id', 'name', 'description', 'pinned', 'tags'];
const DASHBOARD_FIELDS = [...DASHBOARD_LIST_FIELDS, 'filters', 'created_at'];
const ANNOTATION_FIELDS = [
  'id',
  'content',
  'date_marker',
  'scope',
  'dashboard_id',
  'insight_short_id',
  'created_at',
];
/** Of one tile, so that each of a large dashboard is shown. */
const MAX_TILE_CHARACTERS = 4_000;

const search = z.string().max(400).optional();
const insightId = z.union([z.int().min(1), z.string().min(1).max(40)]).describe('ID or short ID');
const id = z.int().min(1);
const tags = z.array(z.string().max(200)).max(100).optional();
const name = z.string().max(400);
const description = z.string().max(10_000).optional();
const query = z
  .looseObject({ kind: z.string() })
  .describe('A query node, such as the one that a query tool returned');

interface Insight {
  id: number;
  short_id: string;
  name: string | null;
  derived_name: string | null;
  [field: string]: unknown;
}

interface ShownInsight extends Insight {
  result: unknown;
  columns: string[] | null;
  hasMore: boolean | null;
}

interface Tile {
  id: number;
  insight: ShownInsight | null;
  text: { body: string } | null;
  error?: { message: string };
}

interface Dashboard {
  id: number;
  name: string;
  tiles: Tile[];
  [field: string]: unknown;
}

/** Wrapped as an insight stores it, so that the console draws it. */
function stored(node: { kind: string } | undefined): unknown {
  if (node === undefined || !/Query$/.test(node.kind)) return node;
  if (node.kind === 'HogQLQuery') return { kind: 'DataVisualizationNode', source: node };
  if (/^(Events|Actors|Groups)Query$/.test(node.kind)) return { kind: 'DataTableNode', source: node };
  return { kind: 'InsightVizNode', source: node };
}

function resultOf({ result, columns, hasMore }: ShownInsight): string {
  return answerText({ results: result, columns: columns ?? undefined, hasMore });
}

function tileText({ insight, text, error }: Tile): string {
  if (insight === null) return `Text: ${text?.body ?? ''}`;
  const head = `${insight.name || insight.derived_name || 'Untitled'} (insight ${insight.short_id})`;
  if (error !== undefined) return `${head}\n${error.message}`;
  const shown = resultOf(insight);
  const isCut = shown.length > MAX_TILE_CHARACTERS;
  return `${head}\n${isCut ? `${shown.slice(0, MAX_TILE_CHARACTERS)}… (insight-query has all of it)` : shown}`;
}

function dashboardText(dashboard: Dashboard): string {
  const tiles = dashboard.tiles.map(({ id: tile, insight, text }) =>
    stringifyExactly(
      insight === null
        ? { tile, text: text?.body ?? '' }
        : { tile, insight: pick(insight, ['id', 'short_id', 'name', 'derived_name', 'query']) },
    ),
  );
  return [stringifyExactly(pick(dashboard, DASHBOARD_FIELDS)), 'Tiles:', ...tiles].join('\n');
}

const readTools: readonly Tool[] = [
  defineTool({
    name: 'insights-list',
    title: 'List insights',
    description: 'Lists saved insights by name.',
    scope: 'insight:read',
    input: z.object({ search, ...page }),
    run: async (input, api) =>
      pageText(
        await api.get('P/insights/', { ...input, basic: true, saved: true }),
        INSIGHT_LIST_FIELDS,
        input,
      ),
  }),
  defineTool({
    name: 'insight-get',
    title: 'Read an insight',
    description: 'Reads an insight: name, description, dashboards and its query, without running it.',
    scope: 'insight:read',
    input: z.object({ id: insightId }),
    run: async (input, api) => {
      const insight = await api.get(`P/insights/${inPath(input.id)}/`, { refresh: 'force_cache' });
      return stringifyExactly(pick(insight, INSIGHT_FIELDS));
    },
  }),
  defineTool({
    name: 'insight-query',
    title: 'Run an insight',
    description: 'Runs a saved insight and returns its result as rows with a text chart.',
    scope: 'insight:read',
    input: z.object({ id: insightId }),
    run: async (input, api) => {
      const path = `P/insights/${inPath(input.id)}/`;
      return resultOf(await api.get<ShownInsight>(path, { refresh: 'blocking' }));
    },
  }),
  defineTool({
    name: 'dashboards-get-all',
    title: 'List dashboards',
    description: 'Lists dashboards by name.',
    scope: 'dashboard:read',
    input: z.object({ search, pinned: z.boolean().optional(), ...page }),
    run: async (input, api) => pageText(await api.get('P/dashboards/', input), DASHBOARD_LIST_FIELDS, input),
  }),
  defineTool({
    name: 'dashboard-get',
    title: 'Read a dashboard',
    description: 'Reads a dashboard with its tiles and their queries, without running them.',
    scope: 'dashboard:read',
    input: z.object({ id }),
    run: async (input, api) =>
      dashboardText(await api.get<Dashboard>(`P/dashboards/${input.id}/`, { refresh: 'force_cache' })),
  }),
  defineTool({
    name: 'dashboard-insights-run',
    title: 'Run a dashboard',
    description: 'Runs all insights of a dashboard and returns their results as text.',
    scope: 'dashboard:read',
    input: z.object({ id }),
    run: async (input, api) => {
      const dashboard = await api.get<Dashboard>(`P/dashboards/${input.id}/`, { refresh: 'blocking' });
      return [dashboard.name, ...dashboard.tiles.map(tileText)].join('\n\n');
    },
  }),
  defineTool({
    name: 'annotations-list',
    title: 'List annotations',
    description:
      'Lists annotations: what happened when, such as a release. Read them before you explain a change.',
    scope: 'annotation:read',
    input: z.object({ search, ...page }),
    run: async (input, api) => pageText(await api.get('P/annotations/', input), ANNOTATION_FIELDS, input),
  }),
];

const dashboards = z.array(id).max(50).describe('IDs of the dashboards that show it');
const annotation = {
  content: z.string().min(1).max(8_192),
  date_marker: z.string().max(40).describe('When it happened, in ISO 8601'),
};

const writeTools: readonly Tool[] = [
  defineTool({
    name: 'insight-create',
    title: 'Create an insight',
    description: 'Saves a query as an insight, also on dashboards.',
    scope: 'insight:write',
    writes: true,
    input: z.object({
      name,
      query,
      description,
      dashboards: dashboards.optional(),
      tags,
      favorited: z.boolean().optional(),
    }),
    run: async (input, api) => {
      const body = { ...input, query: stored(input.query), saved: true };
      return stringifyExactly(pick(await api.post('P/insights/', body), INSIGHT_FIELDS));
    },
  }),
  defineTool({
    name: 'insight-update',
    title: 'Change an insight',
    description: 'Changes an insight; what is not named stays. `dashboards` is the new list.',
    scope: 'insight:write',
    writes: true,
    destructive: true,
    input: z.object({
      id: insightId,
      name: name.optional(),
      query: query.optional(),
      description,
      dashboards: dashboards.optional(),
      tags,
      favorited: z.boolean().optional(),
    }),
    run: async ({ id: which, ...input }, api) => {
      const body = { ...input, query: stored(input.query) };
      return stringifyExactly(pick(await api.patch(`P/insights/${inPath(which)}/`, body), INSIGHT_FIELDS));
    },
  }),
  defineTool({
    name: 'insight-delete',
    title: 'Delete an insight',
    description: 'Deletes an insight. It can be restored in the console.',
    scope: 'insight:write',
    writes: true,
    destructive: true,
    input: z.object({ id: insightId }),
    run: async (input, api) => {
      await api.patch(`P/insights/${inPath(input.id)}/`, { deleted: true });
      return `The insight ${input.id} is deleted.`;
    },
  }),
  defineTool({
    name: 'dashboard-create',
    title: 'Create a dashboard',
    description: 'Creates an empty dashboard. Add insights to it with insight-create or insight-update.',
    scope: 'dashboard:write',
    writes: true,
    input: z.object({ name, description, pinned: z.boolean().optional(), tags }),
    run: async (input, api) =>
      stringifyExactly(pick(await api.post('P/dashboards/', input), DASHBOARD_FIELDS)),
  }),
  defineTool({
    name: 'dashboard-update',
    title: 'Change a dashboard',
    description:
      'Changes name, description, pin or tags of a dashboard, and adds a text tile; what is not named stays.',
    scope: 'dashboard:write',
    writes: true,
    destructive: true,
    input: z.object({
      id,
      name: name.optional(),
      description,
      pinned: z.boolean().optional(),
      tags,
      add_text: z.string().min(1).max(4_000).optional().describe('Markdown of a new text tile'),
    }),
    run: async ({ id: which, add_text: text, ...body }, api) => {
      const path = `P/dashboards/${which}/`;
      if (text !== undefined) await api.post(`${path}tiles/`, { text: { body: text } });
      return dashboardText(await api.patch<Dashboard>(path, body));
    },
  }),
  defineTool({
    name: 'dashboard-delete',
    title: 'Delete a dashboard',
    description: 'Deletes a dashboard, and none of its insights. It can be restored in the console.',
    scope: 'dashboard:write',
    writes: true,
    destructive: true,
    input: z.object({ id }),
    run: async (input, api) => {
      await api.patch(`P/dashboards/${input.id}/`, { deleted: true });
      return `The dashboard ${input.id} is deleted.`;
    },
  }),
  defineTool({
    name: 'annotation-create',
    title: 'Create an annotation',
    description: 'Marks a moment on the charts of the project, or of one dashboard.',
    scope: 'annotation:write',
    writes: true,
    input: z.object({ ...annotation, dashboard_id: id.optional() }),
    run: async (input, api) => {
      const body = { ...input, scope: input.dashboard_id === undefined ? 'project' : 'dashboard' };
      return stringifyExactly(pick(await api.post('P/annotations/', body), ANNOTATION_FIELDS));
    },
  }),
  defineTool({
    name: 'annotation-update',
    title: 'Change an annotation',
    description: 'Changes text or time of an annotation.',
    scope: 'annotation:write',
    writes: true,
    destructive: true,
    input: z.object({
      id,
      content: annotation.content.optional(),
      date_marker: annotation.date_marker.optional(),
    }),
    run: async ({ id: which, ...body }, api) =>
      stringifyExactly(pick(await api.patch(`P/annotations/${which}/`, body), ANNOTATION_FIELDS)),
  }),
  defineTool({
    name: 'annotation-delete',
    title: 'Delete an annotation',
    description: 'Deletes an annotation. It can be restored in the console.',
    scope: 'annotation:write',
    writes: true,
    destructive: true,
    input: z.object({ id }),
    run: async (input, api) => {
      await api.patch(`P/annotations/${input.id}/`, { deleted: true });
      return `The annotation ${input.id} is deleted.`;
    },
  }),
];

/** Tools that read, run and edit insights, dashboards and annotations. */
export const contentTools: readonly Tool[] = [...readTools, ...writeTools];
