import { z } from 'zod';
import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { readPathId } from '../../http/fields.contract.ts';
import type { Access } from '../access/index.ts';
import { findAction } from '../actions/index.ts';
import { dashboard, type Dashboards } from '../dashboards/index.ts';
import type { Insights } from '../insights/index.ts';
import { accessControls } from './access-controls.contract.ts';
import type { AccessedKind } from './access-controls.service.ts';

export interface AccessKindParts {
  db: Db;
  access: Access;
  dashboards: Dashboards;
  insights: Insights;
}

/** A kind of which there are no objects yet. */
function kindWithout(resource: string): AccessedKind {
  return { resource, find: () => Promise.reject(fail('not_found')) };
}

/** The kinds of objects whose rules have paths of their own (management contract 5.1). */
export function accessKinds({ db, access, dashboards, insights }: AccessKindParts): AccessedKind[] {
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
    kindWithout('feature_flag'),
    kindWithout('cohort'),
  ];
}
