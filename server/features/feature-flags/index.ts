import type { ServiceChannel, Store } from '../../db/client.ts';
import type { Analytics, Db } from '../../db/db.ts';
import type { Feature } from '../../http/define-route.ts';
import { createTokenBuckets, FLAGS_RATE } from '../../http/token-buckets.ts';
import type { Clock } from '../../lib/clock.ts';
import type { NewId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import type { Access } from '../access/index.ts';
import { createCohortWriter, type Cohorts } from '../cohorts/index.ts';
import type { Console } from '../console/index.ts';
import type { Dashboards } from '../dashboards/index.ts';
import type { Groups } from '../groups/index.ts';
import type { Insights } from '../insights/index.ts';
import type { Persons } from '../persons/index.ts';
import type { ProjectSecrets } from '../project-secrets/index.ts';
import type { Projects } from '../projects/index.ts';
import type { RemoteConfigFeature } from '../remote-config/index.ts';
import type { Users } from '../users/index.ts';
import { createDecide } from './decide/decide.ts';
import { createDefinitionTexts } from './definition-texts.ts';
import { flagResource } from './feature-flags.resource.ts';
import { featureFlagRoutes } from './feature-flags.routes.ts';
import { createFeatureFlags, type FeatureFlags } from './feature-flags.service.ts';
import { flagFileRoutes } from './file/flag-file.routes.ts';
import { createFlagFiles } from './file/flag-file.service.ts';
import { startWithFile } from './file/start-file.ts';
import { flagDefinitionRoutes } from './flag-definition-routes.ts';
import { flagNoteRoutes } from './flag-note-routes.ts';
import { flagOverrideRoutes } from './overrides/flag-overrides.routes.ts';
import { createFlagOverrides } from './overrides/flag-overrides.service.ts';
import { flagSimulationRoutes } from './simulation/flag-simulation.routes.ts';
import { createFlagSimulation } from './simulation/flag-simulation.service.ts';
import { createFlagsForTests, type FlagsForTests } from './flags-for-tests.ts';
import { createFlagSubjects, UNCACHED } from './subjects/flag-subjects.service.ts';

export { findMinimalFlags } from './feature-flags.reads.ts';
export type { FeatureFlags } from './feature-flags.service.ts';
export type { Flag } from './flag-row.ts';
export type { FlagsForTests } from './flags-for-tests.ts';
export { localDefinitionsOf } from './local-definitions.ts';

export interface FlagNeeds {
  config: { flagsFile: string | null; maxBody: number; rateLimits: boolean; fast: boolean };
  store: Store;
  db: Db;
  analytics: Analytics;
  /** To the commits of events. */
  channel: ServiceChannel;
  clock: Clock;
  newId: NewId;
  log: Log;
  access: Access;
  users: Users;
  projects: Projects;
  secrets: ProjectSecrets;
  console: Pick<Console, 'authenticate'>;
  groups: Groups;
  persons: Persons;
  cohorts: Cohorts;
  dashboards: Dashboards;
  insights: Insights;
  remoteConfig: RemoteConfigFeature;
}

/** Feature flags, their evaluation, overrides, simulation and file. */
export async function featureFlagsFeature(
  needs: FlagNeeds,
): Promise<Feature & { flags: FeatureFlags; flagsForTests: FlagsForTests }> {
  const { config, store, clock, log, access, users, projects, cohorts, dashboards, groups } = needs;
  const groupTypes = groups.typeNames;
  const overrides = createFlagOverrides(needs);
  const subjects = createFlagSubjects(store.service('flag-subjects'), config.fast ? {} : UNCACHED);
  const flags = createFeatureFlags({ ...needs, makeDashboard: dashboards.addFromTemplate });
  await Promise.all([overrides.load(), flags.load()]);
  needs.projects.onDelete(flags.load);
  needs.persons.beforeDelete(overrides.forgetPersons);
  cohorts.addConsumer({
    using: flags.usingCohorts,
    refresh: flags.refresh,
    onPersonsChange: subjects.forgetCohorts,
  });
  const files = createFlagFiles({ ...needs, flags, groupTypes, claimGroupTypes: groups.claimTypes });
  if (config.flagsFile !== null)
    await startWithFile(files, { path: config.flagsFile, actor: users.actorFor(null), log });
  const decide = createDecide({
    ...needs,
    findProject: projects.findByToken,
    remoteConfig: needs.remoteConfig.configs.besideFlags,
    flags,
    overrides,
    subjects,
    maxBodyBytes: config.maxBody,
    limiter: config.rateLimits ? createTokenBuckets({ ...FLAGS_RATE, clock }) : null,
  });
  const simulation = createFlagSimulation({ ...needs, flags, groupTypes });
  const writeCohorts = createCohortWriter({ cohorts, users });
  return {
    name: 'feature-flags',
    flags,
    flagsForTests: createFlagsForTests({ flags, overrides, files }),
    resources: [flagResource],
    routes: [
      ...decide.routes,
      ...featureFlagRoutes({
        ...needs,
        flags,
        evaluate: decide.evaluateFor,
        personsOn: simulation.personsOn,
        async createStaticCohort(actor, projectId, list) {
          const made = await cohorts.createStatic(actor, projectId, list);
          return (await writeCohorts(projectId, [made]))[0]!;
        },
      }),
      ...flagOverrideRoutes({ ...needs, overrides }),
      ...flagFileRoutes(files),
      ...flagNoteRoutes({ ...needs, flags, overrides, groupTypes }),
      ...flagSimulationRoutes(simulation, access),
    ],
    publicRoutes: [
      ...decide.publicRoutes,
      ...flagDefinitionRoutes({
        flags,
        definitions: createDefinitionTexts({ flags, cohorts, groupTypes }),
        authenticate: needs.console.authenticate,
        projectOfSecret: needs.secrets.projectOf,
        projects,
        access,
      }),
    ],
  };
}
