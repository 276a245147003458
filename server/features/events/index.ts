import type { Feature } from '../../http/define-route.ts';
import { eventRoutes } from './events.routes.ts';

type Needs = Parameters<typeof eventRoutes>[0];

export function eventsFeature(
  needs: Omit<Needs, 'cohortsOf'> & { cohorts: { conditions: Needs['cohortsOf'] } },
): Feature {
  return { name: 'events', routes: eventRoutes({ ...needs, cohortsOf: needs.cohorts.conditions }) };
}
