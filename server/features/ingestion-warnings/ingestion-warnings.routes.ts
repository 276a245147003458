import type { ServiceChannel } from '../../db/client.ts';
import type { Db } from '../../db/db.ts';
import { type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import type { Access } from '../access/index.ts';
import { ingestionWarningsApi } from './ingestion-warnings.contract.ts';
import { listWarnings } from './ingestion-warnings.reads.ts';

const route = routesOf(ingestionWarningsApi);

/** `channel` leads to the thread that notes warnings. */
export function ingestionWarningRoutes(deps: {
  db: Db;
  access: Pick<Access, 'check'>;
  channel: ServiceChannel;
}): ManagementRoute[] {
  return [
    route('GET P/burrow/ingestion_warnings/', {
      auth: 'key',
      scope: ['query:read'],
      summary: 'Lists ingestion warnings by type and sender.',
      handle: async ({ actor, project, query, url }) => {
        // A sample shows whose event it was.
        deps.access.check(actor, project.id, 'person', null, 'viewer');
        await deps.channel.call({ kind: 'ingestion_warnings.save' });
        const filter = { projectId: project.id, type: query.type || null, search: query.search || null };
        const { count, warnings } = await listWarnings(deps.db, filter, readPage(url.searchParams));
        return pageOf(url, warnings, count);
      },
    }),
  ];
}
