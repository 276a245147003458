import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Store } from './db/client.ts';
import { dashboard, dashboardResource } from './features/dashboards/index.ts';
import { fail } from './errors.ts';
import { readPathId } from './http/fields.contract.ts';
import type { Resource } from './http/define-resource.ts';
import { insightResource } from './features/insights/index.ts';
import { actionResource } from './features/actions/index.ts';
import { annotationResource } from './features/annotations/index.ts';
import { personResource } from './features/persons/index.ts';
import { flagResource } from './features/feature-flags/index.ts';
import { surveyResource } from './features/surveys/index.ts';
import { earlyAccessFeatureResource } from './features/early-access-features/index.ts';
import { cohortResource } from './features/cohorts/index.ts';
import { dashboardTemplateResource } from './features/dashboard-templates/index.ts';
import { insightVariableResource } from './features/insight-variables/index.ts';
import { groupResource } from './features/groups/index.ts';
import { eventDefinitionResource, propertyDefinitionResource } from './features/definitions/index.ts';
import { sharingResource } from './features/sharing/index.ts';
import { createAccess, type Access } from './features/access/index.ts';
import {
  accessControlRoutes,
  accessKinds,
  createAccessControls,
  deleteManagementOfMember,
} from './features/access-controls/index.ts';
import { actionRoutes, createActions } from './features/actions/index.ts';
import { annotationRoutes, createAnnotations } from './features/annotations/index.ts';
import { activityLogRoutes, recordActivity } from './features/activity-log/index.ts';
import { backupRoutes, createBackups, type Restores } from './features/backups/index.ts';
import { createCaptureFeature } from './features/capture/index.ts';
import {
  collaboratorRoutes,
  createCollaborators,
  deleteCollaborationsOf,
} from './features/collaborators/index.ts';
import { consoleRoutes, createConsole, type Console, type ServerInfo } from './features/console/index.ts';
import { createDashboardTemplates, dashboardTemplateRoutes } from './features/dashboard-templates/index.ts';
import { createDashboards, createInsightPlacements, dashboardRoutes } from './features/dashboards/index.ts';
import { createDefinitionLog, createDefinitions, definitionRoutes } from './features/definitions/index.ts';
import { eventValueRoutes } from './features/event-values/index.ts';
import { eventRoutes } from './features/events/index.ts';
import { prepareFirstStart } from './features/first-start/index.ts';
import { createGeoip, geoipRoutes } from './features/geoip/index.ts';
import { createGroups, groupRoutes, listGroupTypesJson } from './features/groups/index.ts';
import { healthRoutes } from './features/health/index.ts';
import { createIngestion } from './features/ingestion/index.ts';
import { ingestionWarningRoutes } from './features/ingestion-warnings/index.ts';
import { createInsightVariables, insightVariableRoutes } from './features/insight-variables/index.ts';
import {
  createInsightAnswers,
  createInsightFailures,
  createInsights,
  insightRoutes,
} from './features/insights/index.ts';
import { createLive } from './features/live/index.ts';
import { createLogs } from './features/logs/index.ts';
import { createMembers, memberRoutes } from './features/members/index.ts';
import { noticeRoutes } from './features/notices/index.ts';
import { createOrganizations, organizationRoutes } from './features/organizations/index.ts';
import {
  createPersonalApiKeys,
  personalApiKeyRoutes,
  type PersonalApiKeys,
} from './features/personal-api-keys/index.ts';
import { personHistoryRoutes } from './features/person-history/index.ts';
import { createPersons, personRoutes } from './features/persons/index.ts';
import { createProjectSecrets, projectSecretRoutes } from './features/project-secrets/index.ts';
import { createProjects, projectRoutes, type Projects } from './features/projects/index.ts';
import { createRetention, retentionRoutes } from './features/retention/index.ts';
import {
  checkPropertyFilters,
  checkQuerySettings,
  checkVariableValue,
  createQueries,
  queryExportRoutes,
  queryRoutes,
  type StoredQuery,
} from './features/query/index.ts';
import { searchRoutes } from './features/search/index.ts';
import { createSharingFeature } from './features/sharing/index.ts';
import { createServerSettings } from './features/server-settings/index.ts';
import { createStaticAssets } from './features/static-assets/index.ts';
import { storageRoutes } from './features/storage/index.ts';
import { tagRoutes } from './features/tags/index.ts';
import { createUsers, FULL_GRANT, userRoutes, type Users } from './features/users/index.ts';
import { createFlagFeatures } from './flag-features.ts';
import type { Authenticate } from './http/auth.ts';
import type { Feature } from './http/define-route.ts';
import { createSessions, type Sessions } from './http/session.ts';
import type { ReadShared } from './http/share-access.ts';
import type { Clock } from './lib/clock.ts';
import { newSecret, newShortId, type NewId } from './lib/ids.ts';
import type { HogqlParser } from './hogql/parse/hogql-parser.ts';
import type { Log } from './lib/log.ts';
import type { Notices } from './lib/notices.ts';
import type { StoppedQueries } from './lib/stopped-queries.ts';

/** What the features are built from. */
export interface AppDeps {
  config: Config;
  store: Store;
  /** Reads texts of HogQL. */
  parser: HogqlParser;
  clock: Clock;
  newId: NewId;
  log: Log;
  notices: Notices;
  /** Queries that took too much memory. */
  stoppedQueries: StoppedQueries;
  /** Folder of the built console; null: none is served. */
  consoleDir: string | null;
  /** Folder of the bundles of posthog-js. */
  staticDir: string;
  /** Folder of the built page behind shared links. */
  sharedDir: string;
  /** The file that says in which country an address lies. */
  countryFile: string;
  version: string;
  /** Known once the server listens, and asked for only then. */
  readServerInfo: () => ServerInfo;
  /** Whether events are accepted now. */
  isReady: () => boolean;
  /** Goes back to backups. */
  restores: Restores;
  /** Signed-in browsers; left out: none yet. */
  sessions?: Sessions;
}

/** The parts of the product that others are built on, and every feature, one line each. */
export interface Features {
  list: Feature[];
  /** The resources of all features. */
  resources: readonly Resource[];
  authenticate: Authenticate;
  access: Access;
  answerShared: ReadShared;
  projects: Projects;
  users: Users;
  keys: PersonalApiKeys;
  console: Console;
}

/** Prepares an empty database, reads what is kept in memory, and builds the features in their order. */
export async function createFeatures(deps: AppDeps): Promise<Features> {
  const { store, clock, newId, log, config } = deps;
  const { db, analytics } = store;
  await prepareFirstStart({
    db,
    clock,
    newId,
    projectApiKey: config.projectApiKey,
    personalApiKey: config.personalApiKey,
  });
  const organizations = createOrganizations({ db });
  const access = createAccess({ db, clock, newId });
  const record = recordActivity;
  const projects = createProjects({
    db,
    channel: store.service('capture'),
    levelOf: access.projectLevel,
    record,
    checkSettings: checkQuerySettings,
    async onDeleted() {
      await access.load();
      await flags.load();
    },
    clock,
    newId,
  });
  const users = createUsers({ db, organizations, projects, record, clock, newId });
  const keys = createPersonalApiKeys({ db, users, projects, clock, newId, log });
  await Promise.all([organizations.load(), users.load(), projects.load(), access.load()]);
  const secrets = createProjectSecrets({ db, clock, newId });
  await Promise.all([keys.load(), secrets.load()]);
  const console = createConsole({
    users,
    keys,
    sessions: deps.sessions ?? createSessions({ clock, newSecret: () => newSecret('') }),
    clock,
    newSecret: () => newSecret(''),
    log,
  });
  const { authenticate } = console;
  const members = createMembers({
    db,
    organizations,
    users,
    keys,
    async forgetMember(tx, { id, userId }) {
      await access.forgetMember(tx, id);
      await deleteManagementOfMember(tx, id);
      await deleteCollaborationsOf(tx, userId);
    },
    async onRemoved(userId) {
      console.forgetUser(userId);
      await access.load();
    },
    clock,
    newId,
  });
  const findProject = projects.findByToken;

  const channel = store.service('capture');
  const listGroupTypes = (projectId: number) => listGroupTypesJson(db, projectId);
  const groupTypes = async (projectId: number): Promise<Record<string, string>> =>
    Object.fromEntries(
      (await listGroupTypes(projectId)).map((type) => [type.group_type_index, type.group_type]),
    );
  const settings = createServerSettings({ db, clock });
  const geoip = createGeoip({
    db,
    channel,
    settings,
    optionFile: config.geoipFile,
    countryFile: deps.countryFile,
    clock,
    newId,
    log,
  });
  await geoip.load();
  const queries = createQueries({
    db,
    access,
    analytics,
    channel,
    parser: deps.parser,
    cohorts: () => cohorts,
    exportDir: config.ephemeral
      ? join(tmpdir(), `burrow-exports-${newId()}`)
      : join(config.dataDir, 'exports'),
    settingsOf: (projectId) => projects.find(projectId)?.settings ?? {},
    stopped: deps.stoppedQueries,
    clock,
    newId,
    log,
  });
  const failures = createInsightFailures({ clock });
  const answers = createInsightAnswers({ queries, findProject: projects.find, failures, log });
  const placements = createInsightPlacements({ access });
  const checkQuery = async (projectId: number, query: StoredQuery): Promise<void> => {
    const project = projects.find(projectId);
    if (project !== null) await queries.check(project, query);
  };
  const insights = createInsights({ db, clock, newId, newShortId, access, users, placements, checkQuery });
  const templates = createDashboardTemplates({ db, clock, newId });
  const dashboards = createDashboards({
    db,
    clock,
    newId,
    log,
    access,
    users,
    projects,
    insights,
    answers,
    templates,
  });
  const groups = createGroups({ db, channel });
  const flagFeatures = await createFlagFeatures({
    ...deps,
    channel,
    access,
    users,
    projects,
    authenticate,
    projectOfSecret: secrets.projectOf,
    dashboards,
    insights,
    groups,
    groupTypes,
  });
  const { flags, cohorts, surveys, remoteConfigs } = flagFeatures;
  const { feature: sharing, answerShared } = createSharingFeature({
    ...deps,
    db,
    settings,
    dashboards,
    insights,
    answers,
    access,
    users,
    listGroupTypes,
  });
  const capture = createCaptureFeature({
    channel,
    clock,
    maxBodyBytes: config.maxBody,
    notices: deps.notices,
  });
  const resources: Resource[] = [
    {
      ...dashboardResource,
      access: {
        find: (actor, project, id) => dashboards.find(actor, project.id, readPathId(id)),
        whole: {
          fields: dashboard.shape,
          read: (actor, project, id) => dashboards.json(actor, project.id, Number(id)),
        },
      },
    },
    {
      ...insightResource,
      access: { find: (actor, project, id) => insights.find(actor, project.id, id) },
    },
    actionResource,
    annotationResource,
    personResource,
    flagResource,
    surveyResource,
    earlyAccessFeatureResource,
    {
      ...cohortResource,
      access: {
        async find(actor, project, id) {
          const found = await cohorts.find(actor, project.id, readPathId(id), 'viewer');
          if (found.deleted) throw fail('not_found');
          return found;
        },
      },
    },
    dashboardTemplateResource,
    insightVariableResource,
    groupResource,
    eventDefinitionResource,
    propertyDefinitionResource,
    sharingResource,
  ];
  return {
    resources,
    authenticate,
    access,
    answerShared,
    projects,
    users,
    keys,
    console,
    list: [
      capture,
      createLive({
        capture: capture.capture,
        authenticate,
        mayRead: (actor, projectId) =>
          projects.mayEnter(actor, projectId) &&
          ['query', 'person'].every((one) => access.levelOf(actor, projectId, one, null) !== 'none'),
      }),
      createIngestion(capture),
      { name: 'ingestion-warnings', routes: ingestionWarningRoutes({ db, access, channel }) },
      { name: 'geoip', routes: geoipRoutes(geoip) },
      // Before the persons, one of whom would be called cohorts.
      ...flagFeatures.list,
      createLogs(capture),
      createStaticAssets({ staticDir: deps.staticDir, findProject, remoteConfigs }),
      { name: 'users', routes: userRoutes({ users, organizations, projects }) },
      { name: 'members', routes: memberRoutes({ members }) },
      { name: 'organizations', routes: organizationRoutes({ organizations, projects }) },
      { name: 'projects', routes: projectRoutes({ projects, listGroupTypes }) },
      { name: 'project-secrets', routes: projectSecretRoutes({ secrets }) },
      { name: 'personal-api-keys', routes: personalApiKeyRoutes({ keys }) },
      {
        name: 'persons',
        routes: personRoutes({
          persons: createPersons({ db, channel, beforeDelete: flagFeatures.overrides.forgetPersons }),
          db,
          analytics,
          clock,
          cohortsOf: cohorts.conditions,
        }),
      },
      { name: 'person-history', routes: personHistoryRoutes({ db, analytics, clock }) },
      {
        name: 'groups',
        routes: groupRoutes({ access, groups, db, analytics, clock }),
      },
      // Before the events, one of which would be called values.
      { name: 'event-values', routes: eventValueRoutes({ access, db, analytics, clock }) },
      {
        name: 'events',
        routes: eventRoutes({ db, access, analytics, clock, cohortsOf: cohorts.conditions, queries }),
      },
      {
        name: 'query',
        routes: [...queryRoutes({ queries }), ...queryExportRoutes({ queries })],
        close: queries.close,
      },
      { name: 'retention', routes: retentionRoutes(createRetention({ db, channel, clock, newId })) },
      { name: 'storage', routes: storageRoutes({ channel, projects }) },
      {
        name: 'backups',
        routes: backupRoutes(
          createBackups({
            channel,
            folder: config.ephemeral ? null : join(config.dataDir, 'backups'),
            restores: deps.restores,
            clock,
            log,
          }),
        ),
      },
      {
        name: 'definitions',
        routes: definitionRoutes({
          definitions: createDefinitions({
            channel,
            isUser: (id) => users.findActor(id, FULL_GRANT) !== null,
            log: createDefinitionLog({ db, clock, newId }),
          }),
          db,
          clock,
        }),
      },
      { name: 'insights', routes: insightRoutes({ insights, answers, access, failures, queries, clock }) },
      { name: 'dashboards', routes: dashboardRoutes(dashboards) },
      { name: 'dashboard-templates', routes: dashboardTemplateRoutes({ templates, access }) },
      sharing,
      {
        name: 'collaborators',
        routes: collaboratorRoutes(
          createCollaborators({ db, clock, newId, access, dashboards, organizations, users }),
        ),
      },
      {
        name: 'access-controls',
        routes: accessControlRoutes(
          createAccessControls({ db, clock, newId, access, organizations, users, resources }),
          accessKinds({ db, access, resources }),
          resources,
        ),
      },
      { name: 'activity-log', routes: activityLogRoutes({ db, access, users, clock, resources }) },
      {
        name: 'annotations',
        routes: annotationRoutes({
          annotations: createAnnotations({ db, access, clock, newId }),
          db,
          access,
          users,
        }),
      },
      {
        name: 'actions',
        routes: actionRoutes({
          actions: createActions({
            db,
            clock,
            newId,
            checkFilters: checkPropertyFilters,
            onChanged: surveys.refresh,
          }),
          db,
          access,
          users,
        }),
      },
      {
        name: 'insight-variables',
        routes: insightVariableRoutes({
          variables: createInsightVariables({ db, clock, newId, checkValue: checkVariableValue }),
          db,
          access,
        }),
      },
      { name: 'search', routes: searchRoutes({ db, access, resources }) },
      { name: 'tags', routes: tagRoutes({ db, access, resources }) },
      { name: 'console', routes: consoleRoutes({ ...deps, console, users, organizations, projects }) },
      { name: 'notices', routes: noticeRoutes(deps) },
      { name: 'health', publicRoutes: healthRoutes(deps) },
    ],
  };
}
