import type { Feature } from '../../http/define-route.ts';
import { capturePauseRoutes } from './capture-pause.routes.ts';
import { createCapturePause } from './capture-pause.service.ts';

export async function capturePauseFeature(needs: Parameters<typeof createCapturePause>[0]): Promise<Feature> {
  const capturePause = await createCapturePause(needs);
  return {
    name: 'capture-pause',
    routes: capturePauseRoutes(capturePause, needs.clock),
    close: async () => capturePause.close(),
  };
}
