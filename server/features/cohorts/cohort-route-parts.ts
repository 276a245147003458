import type { Analytics, Db } from '../../db/db.ts';
import type { Actor } from '../../http/define-route.ts';
import type { Access } from '../access/index.ts';
import type { Users } from '../users/index.ts';
import type { Cohorts } from './cohorts.service.ts';

/** What the routes of cohorts work with. */
export interface CohortRouteParts {
  cohorts: Cohorts;
  db: Db;
  analytics: Analytics;
  access: Access;
  users: Users;
}

/** The cohort of a path, and the caller. */
export interface CohortPath {
  params: { id: number };
  project: { id: number };
  actor: Actor;
}
