import type { Config } from './config.ts';
import type { ServiceChannel, Store } from './db/client.ts';
import type { Access } from './features/access/index.ts';
import { cohortRoutes, createCohorts, createCohortWriter, type Cohorts } from './features/cohorts/index.ts';
import type { Dashboards } from './features/dashboards/index.ts';
import {
  createEarlyAccessFeatures,
  earlyAccessFeatureRoutes,
  publicFeatureRoutes,
} from './features/early-access-features/index.ts';
import {
  createDecide,
  createDefinitionTexts,
  createFeatureFlags,
  createFlagFiles,
  createFlagOverrides,
  createFlagSimulation,
  createFlagSubjects,
  featureFlagRoutes,
  flagDefinitionRoutes,
  flagFileRoutes,
  flagNoteRoutes,
  flagOverrideRoutes,
  flagSimulationRoutes,
  startWithFile,
  type FeatureFlags,
  type FlagOverrides,
} from './features/feature-flags/index.ts';
import type { Groups } from './features/groups/index.ts';
import type { Insights } from './features/insights/index.ts';
import type { Projects } from './features/projects/index.ts';
import {
  createRemoteConfig,
  createRemoteConfigs,
  type RemoteConfigs,
} from './features/remote-config/index.ts';
import { createSurveys, publicSurveyRoutes, surveyRoutes, type Surveys } from './features/surveys/index.ts';
import { FULL_GRANT, type Users } from './features/users/index.ts';
import type { Authenticate } from './http/auth.ts';
import type { Feature } from './http/define-route.ts';
import { createTokenBuckets, FLAGS_RATE } from './http/token-buckets.ts';
import type { Clock } from './lib/clock.ts';
import type { NewId } from './lib/ids.ts';
import type { Log } from './lib/log.ts';

/** What the features about flags are built from. */
export interface FlagFeatureParts {
  config: Config;
  store: Store;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** To the commits of events. */
  channel: ServiceChannel;
  access: Access;
  users: Users;
  projects: Projects;
  authenticate: Authenticate;
  /** The id of the project whose secret key this is, or null. */
  projectOfSecret: (secret: string) => number | null;
  dashboards: Dashboards;
  insights: Insights;
  groups: Groups;
  /** Names of a project's types of groups by their index, as text. */
  groupTypes: (projectId: number) => Promise<Record<string, string>>;
}

/** The features about flags, cohorts, surveys and early access, and the parts of them that others are built on. */
export interface FlagFeatures {
  flags: FeatureFlags;
  cohorts: Cohorts;
  overrides: FlagOverrides;
  surveys: Surveys;
  remoteConfigs: RemoteConfigs;
  list: Feature[];
}

/** Reads what is kept of flags in memory, takes the flag file of the start, and builds these features in their order. */
export async function createFlagFeatures(parts: FlagFeatureParts): Promise<FlagFeatures> {
  const { config, store, clock, newId, log, channel, access, users, projects, authenticate } = parts;
  const { dashboards, insights, groups, groupTypes } = parts;
  const { db, analytics } = store;
  const findProject = projects.findByToken;
  const overrides = createFlagOverrides({ db, access, clock, newId });
  await overrides.load();
  const subjects = createFlagSubjects(store.service('flag-subjects'));
  const cohorts = createCohorts({
    db,
    analytics,
    channel,
    clock,
    newId,
    access,
    flagsUsing: (projectId) => flags.usingCohorts(projectId),
    readFlags: () => flags.refresh(),
    onPeopleChanged: subjects.forgetCohorts,
  });
  await cohorts.load();
  const flags = createFeatureFlags({
    db,
    clock,
    newId,
    cohorts,
    access,
    users,
    makeDashboard: dashboards.addFromTemplate,
  });
  await flags.load();
  const actorFor = (userId: number | null) =>
    (userId === null ? null : users.findActor(userId, FULL_GRANT)) ??
    users.findActor(users.owner().id, FULL_GRANT)!;
  const surveys = createSurveys({ db, analytics, access, flags, actorFor, clock, newId, log });
  const earlyAccess = createEarlyAccessFeatures({ db, access, flags, clock, newId });
  await Promise.all([surveys.load(), earlyAccess.load()]);
  const remoteConfigs = createRemoteConfigs(
    surveys.shownNow,
    (projectId) => projects.find(projectId)?.settings ?? {},
  );
  const flagFiles = createFlagFiles({
    db,
    access,
    flags,
    cohorts,
    groupTypes,
    claimGroupTypes: groups.claimTypes,
  });
  if (config.flagsFile !== null) {
    await startWithFile(flagFiles, { path: config.flagsFile, actor: actorFor(null), log });
  }
  const decide = createDecide({
    findProject,
    remoteConfig: remoteConfigs.besideFlags,
    flags,
    overrides,
    subjects,
    db,
    clock,
    newId,
    log,
    maxBodyBytes: config.maxBody,
    limiter: config.rateLimits ? createTokenBuckets({ ...FLAGS_RATE, clock }) : null,
  });
  const simulation = createFlagSimulation({ flags, cohorts, groupTypes, analytics, clock });
  const writeCohorts = createCohortWriter({ cohorts, users });
  return {
    flags,
    cohorts,
    overrides,
    surveys,
    remoteConfigs,
    list: [
      {
        name: 'feature-flags',
        routes: [
          ...decide.routes,
          ...featureFlagRoutes({
            flags,
            db,
            access,
            users,
            cohorts,
            clock,
            dashboards,
            insights,
            evaluate: decide.evaluateFor,
            personsOn: simulation.personsOn,
            async createStaticCohort(actor, projectId, list) {
              const made = await cohorts.createStatic(actor, projectId, list);
              return (await writeCohorts(projectId, [made]))[0]!;
            },
          }),
          ...flagOverrideRoutes({ overrides, db, access, users, clock }),
          ...flagFileRoutes(flagFiles),
          ...flagNoteRoutes({ flags, cohorts, overrides, groupTypes, access, db, clock }),
          ...flagSimulationRoutes(simulation, access),
        ],
        publicRoutes: [
          ...decide.publicRoutes,
          ...flagDefinitionRoutes({
            flags,
            definitions: createDefinitionTexts({
              flags,
              cohorts,
              groupTypes,
            }),
            authenticate,
            projectOfSecret: parts.projectOfSecret,
            projects,
            access,
          }),
        ],
      },
      createRemoteConfig({ findProject, remoteConfigs }),
      {
        name: 'surveys',
        routes: surveyRoutes({ surveys, db, analytics, access, users, clock }),
        publicRoutes: publicSurveyRoutes({ findProject, surveysOf: surveys.shownNow }),
      },
      {
        name: 'early-access-features',
        routes: earlyAccessFeatureRoutes({ features: earlyAccess, db, access, users }),
        publicRoutes: publicFeatureRoutes({ findProject, featuresOf: earlyAccess.inStages }),
      },
      { name: 'cohorts', routes: cohortRoutes({ cohorts, db, analytics, access, users }) },
    ],
  };
}
