import type { Feature } from '../../http/define-route.ts';
import { copyRoutes } from './copies.routes.ts';
import { createCopies, type CopyParts } from './copies.service.ts';

export type { CopyJson } from './copies.contract.ts';

export async function copiesFeature(needs: CopyParts): Promise<Feature> {
  const copies = createCopies(needs);
  await copies.markInterrupted();
  return { name: 'copies', routes: copyRoutes(copies), close: copies.close };
}
