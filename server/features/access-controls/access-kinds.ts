import { z } from 'zod';
import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { readPathId } from '../../http/fields.contract.ts';
import type { Access } from '../access/index.ts';
import { findAction } from '../actions/index.ts';
import type { Cohorts } from '../cohorts/index.ts';
import { dashboard, type Dashboards } from '../dashboards/index.ts';
import type { FeatureFlags } from '../feature-flags/index.ts';
import type { Insights } from '../insights/index.ts';
import { accessControls } from './access-controls.contract.ts';
import type { AccessedKind } from './access-controls.service.ts';

export interface AccessKindParts {
  db: Db;
  access: Access;
  dashboards: Dashboards;
  insights: Insights;
  flags: Pick<FeatureFlags, 'find'>;
  cohorts: Pick<Cohorts, 'find'>;
}

/** The kinds of objects whose rules have paths of their own (management contract 5.1). */
export function accessKinds({
  db,
  access,
  dashboards,
  insights,
  flags,
  cohorts,
}: AccessKindParts): AccessedKind[] {
  return [
    {
      resource: 'dashboard',
      find: (actor, project, id) => dashboards.find(actor, project.id, readPathId(id)),
      whole: {
        response: z.strictObject({ ...dashboard.shape, ...accessControls.shape }),
        read: (actor, project, id) => dashboards.json(actor, project.id, Number(id)),
      },
    },
    {
      resource: 'insight',
      find: (actor, project, id) => insights.find(actor, project.id, id),
    },
    {
      resource: 'action',
      async find(actor, project, id) {
        const action = await findAction(db, project.id, readPathId(id));
        if (action === null || action.deleted) throw fail('not_found');
        access.check(actor, project.id, 'action', action, 'viewer');
        return action;
      },
    },
    {
      resource: 'feature_flag',
      async find(actor, project, id) {
        const flag = flags.find(project.id, readPathId(id));
        if (flag === null) throw fail('not_found');
        access.check(actor, project.id, 'feature_flag', flag, 'viewer');
        return { id: flag.id, createdBy: flag.createdBy, name: flag.key };
      },
    },
    {
      resource: 'cohort',
      async find(actor, project, id) {
        const found = await cohorts.find(actor, project.id, readPathId(id), 'viewer');
        if (found.deleted) throw fail('not_found');
        return found;
      },
    },
  ];
}
