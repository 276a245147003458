import {
  Reply,
  type LookupContext,
  type ManagementRoute,
  type Method,
  routesOf,
} from '../../http/define-route.ts';
import { isRestore } from '../../http/is-restore.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { refusedDelete } from '../../http/refused-delete.ts';
import { readTemplate } from '../dashboard-templates/index.ts';
import { preferMinimal } from '../../http/prefer-minimal.ts';
import { checkDashboardFilters, checkVariables } from '../query/index.ts';
import type { DashboardAccess } from './dashboard-access.ts';
import {
  type ShowDashboardQuery,
  type DashboardJson,
  type TileJson,
  dashboardsApi,
} from './dashboards.contract.ts';
import { checkRestriction } from './dashboard-content.ts';
import type { Dashboards } from './dashboards.service.ts';
import { preferredOptions, tileRoutes, writtenOptions } from './tile-routes.ts';
import type { ServerResponse } from 'node:http';

const route = routesOf(dashboardsApi);

/**
 * Writes a dashboard as server-sent events: `metadata` (all but the tiles) immediately, a `tile` for each as soon as
 * it is answered, `complete` (management contract 3.9).
 */
async function streamTiles(
  res: ServerResponse,
  { dashboard, tiles }: { dashboard: DashboardJson; tiles: AsyncIterable<TileJson> },
): Promise<void> {
  const send = (message: object) => res.write(`data: ${JSON.stringify(message)}\n\n`);
  const { tiles: _unanswered, ...metadata } = dashboard;
  send({ type: 'metadata', dashboard: metadata });
  for await (const tile of tiles) send({ type: 'tile', order: tile.order, tile });
  send({ type: 'complete' });
  res.end();
}

type PathContext = LookupContext<{ id: number }>;

/** List, creation, reading and change of dashboards (management contract 3.4, 3.5). */
export function dashboardRoutes(dashboards: Dashboards): ManagementRoute[] {
  const read = { auth: 'key', scope: ['dashboard:read'], pathObject: 'dashboard' } as const;
  const write = {
    auth: 'key',
    scope: ['dashboard:write'],
    pathObject: 'dashboard',
  } as const;
  const lookup = ({ actor, project, params }: PathContext) => dashboards.find(actor, project.id, params.id);
  const update = (method: Method & ('PATCH' | 'PUT')): ManagementRoute =>
    route(`${method} P/dashboards/:id/`, {
      ...write,
      summary: 'Updates, soft-deletes or restores a dashboard.',
      errors: ['not_editable', 'permission_denied', 'does_not_exist'],
      lookup: (context) => lookupToWrite(dashboards, context),
      handle: async ({ actor, project, params, query, body, signal }) => {
        await dashboards.update(actor, project.id, params.id, body);
        return dashboards.json(actor, project.id, params.id, writtenOptions(query, signal));
      },
    });

  return [
    route('GET P/dashboards/', {
      ...read,
      summary: 'Lists dashboards, pinned ones first.',
      handle: async ({ actor, project, query, url }) => {
        const filter = {
          tags: url.searchParams.getAll('tags').map(tagOf).filter(Boolean),
          creationMode: query.creation_mode ?? null,
          excludeGenerated: query.exclude_generated ?? false,
          search: query.search?.trim() || null,
          pinned: query.pinned ?? null,
        };
        const { items, count } = await dashboards.list(actor, project.id, filter, readPage(url.searchParams));
        return pageOf(url, items, count);
      },
    }),
    route('GET P/burrow/dashboard_previews/', {
      ...read,
      summary: 'Lists the tile layouts of dashboards, for previews in lists.',
      handle: async ({ actor, project }) => ({ results: await dashboards.previews(actor, project.id) }),
    }),
    route('POST P/dashboards/', {
      ...write,
      summary: 'Creates a dashboard: blank, from a template, or as a duplicate.',
      status: 201,
      handle: async ({ actor, project, query, body, signal }) => {
        const id = await dashboards.create(actor, project.id, body);
        return dashboards.json(actor, project.id, id, writtenOptions(query, signal));
      },
    }),
    route('POST P/dashboards/create_from_template_json/', {
      ...write,
      summary: 'Creates a dashboard from template JSON; with Prefer, returns it.',
      handle: async ({ actor, project, query, body: { template, ...fields }, req, signal }) => {
        const id =
          template === undefined
            ? await dashboards.create(actor, project.id, fields)
            : await dashboards.createFromTemplate(actor, project.id, readTemplate(template));
        const headers = { Location: `/api/projects/${project.id}/dashboards/${id}/` };
        const json = () => dashboards.json(actor, project.id, id, preferredOptions(query, signal));
        return preferMinimal(req, json, headers);
      },
    }),
    route('GET P/dashboards/:id/', {
      ...read,
      summary: 'Retrieves a dashboard with its tiles.',
      lookup,
      handle: ({ actor, query, found, signal }) =>
        dashboards.jsonOf(actor, found, showOptionsOf(query, signal)),
    }),
    route('GET P/dashboards/:id/stream_tiles/', {
      ...read,
      summary: 'Streams a dashboard tile by tile (server-sent events).',
      streams: 'text/event-stream',
      lookup,
      handle: async ({ actor, query, found, signal }) => {
        const shown = await dashboards.stream(actor, found, showOptionsOf(query, signal));
        const headers = { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' };
        return Reply.stream(headers, (res) => streamTiles(res, shown));
      },
    }),
    update('PATCH'),
    update('PUT'),
    refusedDelete('P/dashboards/:id/'),
    ...tileRoutes(dashboards),
  ];
}

/** Access checks run before body validation (management contract 2.5). */
async function lookupToWrite(
  dashboards: Dashboards,
  { actor, project, params, sent }: PathContext,
): Promise<DashboardAccess> {
  const found = await dashboards.find(actor, project.id, params.id, {
    needed: 'edit',
    deleted: isRestore(sent),
  });
  checkRestriction(sent, found.levels);
  return found;
}

function showOptionsOf(query: ShowDashboardQuery, signal: AbortSignal) {
  const { filters_override: filters, variables_override: variables, layoutSize, refresh } = query;
  if (filters !== undefined) checkDashboardFilters(filters, 'filters_override');
  if (variables !== undefined) checkVariables(variables, 'variables_override');
  return { filters, variables, layoutSize, answers: { refresh, signal } };
}

function tagOf(text: string): string {
  return text.trim().toLowerCase();
}
