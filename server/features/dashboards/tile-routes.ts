import { type LookupContext, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { preferMinimal } from '../../http/prefer-minimal.ts';
import { type WriteDashboardQuery, dashboardsApi } from './dashboards.contract.ts';
import type { ShowOptions } from './dashboard-reader.ts';
import type { Dashboards } from './dashboards.service.ts';

const route = routesOf(dashboardsApi);

type PathContext = LookupContext<{ id: number }>;

/** Tiles one by one: put, moved, copied and lined up (management contract 3.7, 3.9, 10). */
export function tileRoutes(dashboards: Dashboards): ManagementRoute[] {
  const write = {
    auth: 'key',
    scope: ['dashboard:write'],
    pathObject: 'dashboard',
  } as const;
  const lookup = ({ actor, project, params }: PathContext) =>
    dashboards.find(actor, project.id, params.id, { needed: 'edit' });

  return [
    route('POST P/dashboards/:id/tiles/', {
      ...write,
      summary: 'Adds an insight or a text to a dashboard.',
      status: 201,
      errors: ['not_editable', 'does_not_exist'],
      lookup,
      handle: async ({ actor, project, params, query, body, signal }) => {
        const id = await dashboards.addTile(actor, project.id, params.id, body);
        const { tiles } = await dashboards.json(actor, project.id, params.id, writtenOptions(query, signal));
        return tiles.find((one) => one.id === id);
      },
    }),
    route('PATCH P/dashboards/:id/move_tile/', {
      ...write,
      summary: 'Moves a tile to another dashboard; with Prefer, returns the source dashboard.',
      errors: ['not_editable'],
      lookup,
      handle: async ({ actor, project, params, query, body: { tile: moved, toDashboard }, req, signal }) => {
        if (moved !== undefined && toDashboard !== undefined)
          await dashboards.moveTile(actor, project.id, params.id, moved.id, toDashboard);
        const options = preferredOptions(query, signal);
        return preferMinimal(req, () => dashboards.json(actor, project.id, params.id, options));
      },
    }),
    route('POST P/dashboards/:id/copy_tile/', {
      ...write,
      summary: 'Copies a tile from another dashboard.',
      errors: ['not_editable'],
      lookup,
      handle: async ({ actor, project, params, query, body: { fromDashboardId, tileId }, signal }) => {
        await dashboards.copyTile(actor, project.id, fromDashboardId, tileId, params.id);
        return dashboards.json(actor, project.id, params.id, writtenOptions(query, signal));
      },
    }),
    route('POST P/dashboards/:id/reorder_tiles/', {
      ...write,
      summary: 'Arranges all tiles in two columns in the given order.',
      errors: ['not_editable'],
      lookup,
      handle: async ({ actor, project, params, query, body: { tile_order: order }, signal }) => {
        await dashboards.reorderTiles(actor, project.id, params.id, order);
        return dashboards.json(actor, project.id, params.id, writtenOptions(query, signal));
      },
    }),
  ];
}

/** Writes return cached results: they compute nothing unless requested. */
export function writtenOptions({ refresh }: WriteDashboardQuery, signal: AbortSignal): ShowOptions {
  return { answers: { refresh, unasked: 'left', signal } };
}

/** `Prefer: return=representation` returns the same as reading. */
export function preferredOptions({ refresh }: WriteDashboardQuery, signal: AbortSignal): ShowOptions {
  return { answers: { refresh, signal } };
}
