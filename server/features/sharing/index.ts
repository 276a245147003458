import type { Db } from '../../db/db.ts';
import type { Feature } from '../../http/define-route.ts';
import type { ReadShared } from '../../http/share-access.ts';
import { createTokenBuckets, type BucketSize } from '../../http/token-buckets.ts';
import type { Log } from '../../lib/log.ts';
import type { Access } from '../access/index.ts';
import type { Dashboards } from '../dashboards/index.ts';
import type { Groups } from '../groups/index.ts';
import type { InsightAnswers, Insights } from '../insights/index.ts';
import type { Users } from '../users/index.ts';
import { createShareAccess } from './share-access.ts';
import { shareables } from './shareables.ts';
import { openSharedFiles } from './shared-files.ts';
import { sharedPageRoutes } from './shared-page-routes.ts';
import { createSharedReader } from './shared-reader.ts';
import { sharingResource } from './sharing.resource.ts';
import { sharingRoutes } from './sharing.routes.ts';
import { createSharing, type SharingParts } from './sharing.service.ts';

export interface SharingFeatureParts extends SharingParts {
  db: Db;
  dashboards: Dashboards;
  insights: Insights;
  answers: InsightAnswers;
  access: Access;
  users: Users;
  groups: Pick<Groups, 'listTypes'>;
  /** Folder of the built page. */
  sharedDir: string;
  log: Log;
}

/** Changes of filters by the viewers of one link. */
const VIEWER_RATE: BucketSize = { burst: 60, perSecond: 1 };

/** Links by which any visitor can look at a dashboard or an insight, and the page that they open. */
export function sharingFeature(parts: SharingFeatureParts): Feature & { answerShared: ReadShared } {
  const { sharedDir, log, clock } = parts;
  const asks = createTokenBuckets({ ...VIEWER_RATE, clock });
  const sharing = createSharing(parts);
  const reader = createSharedReader(parts);
  return {
    name: 'sharing',
    resources: [sharingResource],
    routes: sharingRoutes(sharing, shareables(parts)),
    publicRoutes: sharedPageRoutes({ sharing, reader, files: openSharedFiles(sharedDir), log, asks }),
    answerShared: createShareAccess({ sharing, reader, listGroupTypes: parts.groups.listTypes }),
  };
}
