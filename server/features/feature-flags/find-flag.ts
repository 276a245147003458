import type { Actor, ProjectRef } from '../../http/define-route.ts';
import type { Flag } from './flag-row.ts';

/** The flag of a path, and the caller. */
export interface FlagPath {
  params: { id: number };
  project: ProjectRef;
  actor: Actor;
}

/** Finds the flag of a path, also a deleted one. Throws not_found and access_level. */
export type FindFlag = (context: FlagPath, needed: 'viewer' | 'editor') => Promise<Flag>;
