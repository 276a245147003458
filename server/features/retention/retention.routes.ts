import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { previewJson, retentionJson } from './retention-json.ts';
import { type RetentionBody, retentionApi } from './retention.contract.ts';
import type { RetentionService } from './retention.service.ts';

const route = routesOf(retentionApi);

function limitsOf({ max_days, max_gb }: RetentionBody): { maxDays: number | null; maxGb: number | null } {
  return { maxDays: max_days, maxGb: max_gb };
}

/** How long and how much a project keeps. */
export function retentionRoutes(service: RetentionService): ManagementRoute[] {
  return [
    route('GET P/burrow/retention/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves the data retention of a project.',
      handle: async ({ project }) => retentionJson(await service.read(project.id)),
    }),
    route('PUT P/burrow/retention/', {
      auth: 'key',
      scope: ['project:write'],
      summary: 'Sets the data retention of a project in days and gigabytes; older events are deleted.',
      handle: async ({ actor, project, body }) => {
        await service.set(actor, project, limitsOf(body));
        return retentionJson(await service.read(project.id));
      },
    }),
    route('GET P/burrow/retention/preview/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Returns which events the current limits would delete now.',
      handle: async ({ project }) => previewJson(await service.preview(project.id, null)),
    }),
    route('POST P/burrow/retention/preview/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Returns which events other limits would delete, without changes.',
      handle: async ({ project, body }) => previewJson(await service.preview(project.id, limitsOf(body))),
    }),
  ];
}
