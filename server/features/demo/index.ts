import type { Feature } from '../../http/define-route.ts';
import { demoRoutes } from './demo.routes.ts';
import { createDemo, type DemoParts } from './demo.service.ts';

export type { DemoProjectJson } from './demo.contract.ts';

export function demoFeature(needs: DemoParts): Feature {
  const demo = createDemo(needs);
  return { name: 'demo', routes: demoRoutes(demo), close: demo.close };
}
