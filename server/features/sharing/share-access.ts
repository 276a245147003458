import type { ReadShared } from '../../http/share-access.ts';
import { fail } from '../../errors.ts';
import { pageOfAll } from '../../http/paging.ts';
import type { SharedReader } from './shared-reader.ts';
import type { Sharing } from './sharing.service.ts';

export interface ShareAccessParts {
  sharing: Sharing;
  reader: SharedReader;
  listGroupTypes: (projectId: number) => Promise<unknown>;
}

/** What the management API answers to the token of a link instead of a key (management contract 2.2, point 4). */
export function createShareAccess({ sharing, reader, listGroupTypes }: ShareAccessParts): ReadShared {
  return async ({ token, path, params, url, signal }) => {
    const isOffered = path === 'P/groups_types/' || /^P\/insights\/(:[a-z_]+\/)?$/.test(path);
    const share = isOffered ? await sharing.open(token) : null;
    if (share === null) return null;
    const { project_id: projectId, ...rest } = params;
    if (projectId !== '@current' && projectId !== String(share.projectId)) throw fail('project_not_found');
    if (path === 'P/groups_types/') return { body: await listGroupTypes(share.projectId) };
    const insights = await reader.insights(share, signal);
    const [id] = Object.values(rest);
    const isAsked = (wanted: string | null | undefined) => (one: { id: number; short_id: string }) =>
      String(one.id) === wanted || one.short_id === wanted;
    if (id !== undefined) {
      const insight = insights.find(isAsked(id));
      if (insight === undefined) throw fail('not_found');
      return { body: insight };
    }
    const shortId = url.searchParams.get('short_id');
    return { body: pageOfAll(url, shortId === null ? insights : insights.filter(isAsked(shortId))) };
  };
}
