import type { Config } from './config.ts';
import type { Store } from './db/client.ts';
import { accessControlsFeature } from './features/access-controls/index.ts';
import { createAccess } from './features/access/index.ts';
import { actionsFeature } from './features/actions/index.ts';
import { activityLogFeature, recordActivity } from './features/activity-log/index.ts';
import { alertsFeature, type AlertNotice } from './features/alerts/index.ts';
import { annotationsFeature } from './features/annotations/index.ts';
import { backupsFeature, type Restores } from './features/backups/index.ts';
import { capturePauseFeature } from './features/capture-pause/index.ts';
import { captureFeature } from './features/capture/index.ts';
import { cohortsFeature } from './features/cohorts/index.ts';
import { collaboratorsFeature } from './features/collaborators/index.ts';
import { consoleFeature, type ServerInfo } from './features/console/index.ts';
import { copiesFeature } from './features/copies/index.ts';
import { dashboardTemplatesFeature } from './features/dashboard-templates/index.ts';
import { createInsightPlacements, dashboardsFeature } from './features/dashboards/index.ts';
import { definitionsFeature } from './features/definitions/index.ts';
import { demoFeature } from './features/demo/index.ts';
import { earlyAccessFeature } from './features/early-access-features/index.ts';
import { eventValuesFeature } from './features/event-values/index.ts';
import { eventsFeature } from './features/events/index.ts';
import { exportsFeature } from './features/exports/index.ts';
import { featureFlagsFeature } from './features/feature-flags/index.ts';
import { prepareFirstStart } from './features/first-start/index.ts';
import { forwardingFeature } from './features/forwarding/index.ts';
import { geoipFeature } from './features/geoip/index.ts';
import { groupsFeature } from './features/groups/index.ts';
import { healthFeature } from './features/health/index.ts';
import { ingestionWarningsFeature } from './features/ingestion-warnings/index.ts';
import { importsFeature } from './features/imports/index.ts';
import { ingestionFeature } from './features/ingestion/index.ts';
import { insightVariablesFeature } from './features/insight-variables/index.ts';
import { insightsFeature } from './features/insights/index.ts';
import { liveFeature } from './features/live/index.ts';
import { logsFeature } from './features/logs/index.ts';
import { mcpFeature } from './features/mcp/index.ts';
import { membersFeature } from './features/members/index.ts';
import { noticesFeature } from './features/notices/index.ts';
import { organizationsFeature } from './features/organizations/index.ts';
import { outgoingFeature } from './features/outgoing/index.ts';
import { personalApiKeysFeature } from './features/personal-api-keys/index.ts';
import { personsFeature } from './features/persons/index.ts';
import { projectSecretsFeature } from './features/project-secrets/index.ts';
import { projectsFeature } from './features/projects/index.ts';
import {
  checkPropertyFilters,
  checkQuerySettings,
  checkVariableValue,
  queryFeature,
} from './features/query/index.ts';
import { remoteConfigFeature } from './features/remote-config/index.ts';
import { retentionFeature } from './features/retention/index.ts';
import { searchFeature } from './features/search/index.ts';
import { createServerSettings } from './features/server-settings/index.ts';
import { sessionsFeature } from './features/sessions/index.ts';
import { sharingFeature } from './features/sharing/index.ts';
import { staticAssetsFeature } from './features/static-assets/index.ts';
import { storageFeature } from './features/storage/index.ts';
import { surveysFeature } from './features/surveys/index.ts';
import { tagsFeature } from './features/tags/index.ts';
import { testingFeature } from './features/testing/index.ts';
import { usersFeature } from './features/users/index.ts';
import { warehouseFeature } from './features/warehouse/index.ts';
import type { HogqlParser } from './hogql/parse/hogql-parser.ts';
import type { Resource } from './http/define-resource.ts';
import type { Feature } from './http/define-route.ts';
import { isLoopback } from './http/host-check.ts';
import type { Sessions } from './http/session.ts';
import type { Clock } from './lib/clock.ts';
import type { NewId } from './lib/ids.ts';
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
  /** The file of the thread that reads imported files; null: they are read in this thread. */
  importUrl: URL | null;
  version: string;
  /** Available once the server listens, and called only then. */
  readServerInfo: () => ServerInfo;
  /** Whether events are accepted now. */
  isReady: () => boolean;
  /** Goes back to backups. */
  restores: Restores;
  /** Shows an alert on this machine; left out: there is no desktop app. */
  onAlert?: (notice: AlertNotice) => void;
  /** Signed-in browsers; left out: none yet. */
  sessions?: Sessions;
}

/**
 * The order in which answers and the API reference name resources; others follow. Generated clients have names of schemas
 * that follow from it (decision 95).
 */
const ORDER =
  'dashboard insight action annotation person feature_flag survey early_access_feature cohort'.split(' ');

export type Features = Awaited<ReturnType<typeof createFeatures>>;

/**
 * Builds every feature after those that it needs. A feature takes what it needs as arguments and offers what its result
 * has; it subscribes to those below it (`projects.onDelete`). The order of routes does not matter.
 */
export async function createFeatures(deps: AppDeps) {
  const list: Feature[] = [];
  const add = <F extends Feature>(feature: F): F => {
    list.push(feature);
    return feature;
  };
  const { config, store } = deps;
  const { db, analytics } = store;
  const app = { ...deps, db, analytics, channel: store.service('capture'), record: recordActivity };
  await prepareFirstStart(app);

  const access = createAccess(app);
  await access.load();
  const { groups } = add(groupsFeature({ ...app, access }));
  const { projects } = add(
    await projectsFeature({ ...app, access, groups, checkSettings: checkQuerySettings }),
  );
  const { organizations } = add(await organizationsFeature({ ...app, projects }));
  const { users } = add(await usersFeature({ ...app, organizations, projects }));
  const { keys } = add(await personalApiKeysFeature({ ...app, users, projects }));
  const { secrets } = add(await projectSecretsFeature(app));
  const { console } = add(consoleFeature({ ...app, users, keys, organizations, projects }));
  const { members } = add(membersFeature({ ...app, access, organizations, users, keys, console }));
  const settings = createServerSettings(app);
  add(await geoipFeature({ ...app, settings }));

  const { capture, door } = add(captureFeature({ ...app, maxBodyBytes: config.maxBody }));
  const { capturePause } = add(await capturePauseFeature({ ...app, settings }));
  add(logsFeature({ door }));
  add(liveFeature({ capture, access, projects, authenticate: console.authenticate }));
  add(ingestionFeature({ capture }));
  add(ingestionWarningsFeature({ ...app, access }));

  const { actions } = add(actionsFeature({ ...app, access, users, checkFilters: checkPropertyFilters }));
  const { cohorts } = add(await cohortsFeature({ ...app, access, users, projects }));
  const { persons } = add(personsFeature({ ...app, cohorts }));
  add(definitionsFeature({ ...app, users }));

  const { warehouse } = add(await warehouseFeature(app));
  const { queries } = add(queryFeature({ ...app, access, cohorts, projects, warehouse }));
  add(insightVariablesFeature({ ...app, access, checkValue: checkVariableValue }));
  add(eventsFeature({ ...app, access, cohorts, queries }));
  add(eventValuesFeature({ ...app, access }));
  add(sessionsFeature({ queries }));
  const placements = createInsightPlacements({ access });
  const { insights, answers } = add(
    insightsFeature({ ...app, access, users, projects, queries, placements }),
  );
  const { templates } = add(dashboardTemplatesFeature({ ...app, access }));
  const { dashboards } = add(
    dashboardsFeature({ ...app, access, users, projects, insights, answers, templates }),
  );
  const content = { access, users, dashboards, insights };
  const { answerShared } = add(sharingFeature({ ...app, ...content, settings, answers, groups }));
  add(collaboratorsFeature({ ...app, ...content, organizations, members }));
  const { annotations } = add(annotationsFeature({ ...app, access, users }));
  const { outgoing } = add(await outgoingFeature({ ...app, settings }));
  const { checks: alertChecks } = add(
    await alertsFeature({ ...app, access, users, projects, insights, queries, outgoing }),
  );

  const { forwarder } = add(await forwardingFeature({ ...app, projects, outgoing }));

  const remoteConfig = add(remoteConfigFeature({ projects }));
  add(staticAssetsFeature({ ...app, projects, remoteConfig }));
  const { flags, flagsForTests } = add(
    await featureFlagsFeature({
      ...app,
      ...content,
      projects,
      secrets,
      console,
      groups,
      persons,
      cohorts,
      remoteConfig,
    }),
  );
  const { surveys } = add(
    await surveysFeature({ ...app, access, users, flags, actions, projects, remoteConfig }),
  );
  add(await earlyAccessFeature({ ...app, access, users, flags, projects }));

  const objects = { actions, cohorts, annotations, surveys, flags, dashboards };
  add(demoFeature({ ...app, ...objects, projects, capture, capturePause }));
  const { imports } = add(await importsFeature({ ...app, projects, capture, capturePause }));
  add(await copiesFeature({ ...app, projects, console, outgoing, imports }));

  add(retentionFeature(app));
  add(storageFeature({ ...app, projects }));
  const { backups } = add(backupsFeature(app));
  add(noticesFeature(app));
  add(healthFeature(app));

  // What loops over the resources of all features above.
  const placeOf = ({ noun }: Resource) => (ORDER.includes(noun) ? ORDER.indexOf(noun) : ORDER.length);
  const resources = list
    .flatMap((feature) => feature.resources ?? [])
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  add(accessControlsFeature({ ...app, access, organizations, users, members, resources }));
  add(activityLogFeature({ ...app, access, users, resources, queries }));
  add(searchFeature({ ...app, access, resources }));
  add(tagsFeature({ ...app, access, resources }));
  const routes = list.flatMap((feature) => feature.routes ?? []);
  add(exportsFeature({ ...app, projects, queries, routes }));
  add(mcpFeature(app));
  if (config.ephemeral && isLoopback(config.host))
    add(testingFeature({ ...app, capture, projects, flagsForTests }));
  return {
    list,
    resources,
    access,
    answerShared,
    projects,
    users,
    keys,
    console,
    capture,
    capturePause,
    backups,
    alertChecks,
    forwarder,
    warehouse,
  };
}
