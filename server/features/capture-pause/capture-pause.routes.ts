import { fail } from '../../errors.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { type CapturePauseJson, capturePauseApi } from './capture-pause.contract.ts';
import type { CapturePause } from './capture-pause.service.ts';
import { ADMIN } from '../../lib/member-levels.contract.ts';

const route = routesOf(capturePauseApi);

export function capturePauseRoutes(capturePause: CapturePause): ManagementRoute[] {
  return [
    route('GET /api/burrow/capture/', {
      auth: 'key',
      scope: ['project:read'],
      summary: 'Retrieves whether capture is paused.',
      handle: () => jsonOf(capturePause),
    }),
    route('PUT /api/burrow/capture/', {
      auth: 'key',
      scope: ['project:write'],
      summary:
        'Pauses or resumes capture of all projects: events are accepted and not stored while it is paused.',
      errors: ['permission_denied', 'invalid'],
      lookup({ actor }) {
        if (actor.organizationLevel < ADMIN)
          throw fail('permission_denied', {
            detail: 'Only admins can pause capture, because it affects all projects.',
          });
      },
      handle: async ({ body: { is_paused: isPaused, minutes } }) => {
        await (isPaused ? capturePause.pause(minutes ?? null) : capturePause.resume());
        return jsonOf(capturePause);
      },
    }),
  ];
}

function jsonOf(capturePause: CapturePause): CapturePauseJson {
  const pause = capturePause.current();
  return {
    is_paused: pause !== null,
    until: pause === null || pause.until === null ? null : new Date(pause.until).toISOString(),
  };
}
