import type { Feature } from '../../http/define-route.ts';
import { capturePauseRoutes } from './capture-pause.routes.ts';
import { createCapturePause, type CapturePause } from './capture-pause.service.ts';

export type { CapturePause } from './capture-pause.service.ts';

export async function capturePauseFeature(
  needs: Parameters<typeof createCapturePause>[0],
): Promise<Feature & { capturePause: CapturePause }> {
  const capturePause = await createCapturePause(needs);
  return {
    name: 'capture-pause',
    capturePause,
    routes: capturePauseRoutes(capturePause),
    close: async () => capturePause.close(),
  };
}
