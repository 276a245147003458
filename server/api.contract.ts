import type { accessControlsApi } from './features/access-controls/access-controls.contract.ts';
import type { actionsApi } from './features/actions/actions.contract.ts';
import type { activityLogApi, historyPage } from './features/activity-log/activity-log.contract.ts';
import type { alertsApi } from './features/alerts/alerts.contract.ts';
import type { annotationsApi } from './features/annotations/annotations.contract.ts';
import type { backupsApi } from './features/backups/backups.contract.ts';
import type { capturePauseApi } from './features/capture-pause/capture-pause.contract.ts';
import type { cohortsApi } from './features/cohorts/cohorts.contract.ts';
import type { collaboratorsApi } from './features/collaborators/collaborators.contract.ts';
import type { consoleApi } from './features/console/console.contract.ts';
import type { copiesApi } from './features/copies/copies.contract.ts';
import type { dashboardTemplatesApi } from './features/dashboard-templates/dashboard-templates.contract.ts';
import type { dashboardsApi } from './features/dashboards/dashboards.contract.ts';
import type { definitionsApi } from './features/definitions/definitions.contract.ts';
import type { demoApi } from './features/demo/demo.contract.ts';
import type { earlyAccessFeaturesApi } from './features/early-access-features/early-access-features.contract.ts';
import type { eventValuesApi } from './features/event-values/event-values.contract.ts';
import type { eventsApi } from './features/events/events.contract.ts';
import type { exportsApi } from './features/exports/exports.contract.ts';
import type { decideApi } from './features/feature-flags/decide/decide.contract.ts';
import type { featureFlagsApi } from './features/feature-flags/feature-flags.contract.ts';
import type { flagFileApi } from './features/feature-flags/file/flag-file.contract.ts';
import type { flagOverridesApi } from './features/feature-flags/overrides/flag-overrides.contract.ts';
import type { flagSimulationApi } from './features/feature-flags/simulation/flag-simulation.contract.ts';
import type { forwardingApi } from './features/forwarding/forwarding.contract.ts';
import type { geoipApi } from './features/geoip/geoip.contract.ts';
import type { groupsApi } from './features/groups/groups.contract.ts';
import type { ingestionWarningsApi } from './features/ingestion-warnings/ingestion-warnings.contract.ts';
import type { importsApi } from './features/imports/imports.contract.ts';
import type { ingestionApi } from './features/ingestion/ingestion.contract.ts';
import type { insightVariablesApi } from './features/insight-variables/insight-variables.contract.ts';
import type { insightListApi, insightsApi } from './features/insights/insights.contract.ts';
import type { liveApi } from './features/live/live.contract.ts';
import type { mcpApi } from './features/mcp/mcp.contract.ts';
import type { membersApi } from './features/members/members.contract.ts';
import type { noticesApi } from './features/notices/notices.contract.ts';
import type { organizationsApi } from './features/organizations/organizations.contract.ts';
import type { outgoingApi } from './features/outgoing/outgoing.contract.ts';
import type { personalApiKeysApi } from './features/personal-api-keys/personal-api-keys.contract.ts';
import type { personsApi } from './features/persons/persons.contract.ts';
import type { projectSecretsApi } from './features/project-secrets/project-secrets.contract.ts';
import type { projectsApi } from './features/projects/projects.contract.ts';
import type { queryApi } from './features/query/query.contract.ts';
import type { retentionApi } from './features/retention/retention.contract.ts';
import type { searchApi } from './features/search/search.contract.ts';
import type { sessionsApi } from './features/sessions/sessions.contract.ts';
import type { sharingApi } from './features/sharing/sharing.contract.ts';
import type { storageApi } from './features/storage/storage.contract.ts';
import type { warehouseApi } from './features/warehouse/warehouse.contract.ts';
import type { surveysApi } from './features/surveys/surveys.contract.ts';
import type { tagsApi } from './features/tags/tags.contract.ts';
import type { testingApi } from './features/testing/testing.contract.ts';
import type { usersApi } from './features/users/users.contract.ts';

/**
 * The types of all routes by method and path, for the console's client. Paths that are built from what is registered
 * are in `ResourceRoutes`, whose schemas the route table does not check.
 */
export type Api = ResourceRoutes &
  typeof accessControlsApi &
  typeof actionsApi &
  typeof activityLogApi &
  typeof alertsApi &
  typeof annotationsApi &
  typeof backupsApi &
  typeof capturePauseApi &
  typeof cohortsApi &
  typeof collaboratorsApi &
  typeof consoleApi &
  typeof dashboardTemplatesApi &
  typeof dashboardsApi &
  typeof definitionsApi &
  typeof demoApi &
  typeof copiesApi &
  typeof exportsApi &
  typeof importsApi &
  typeof earlyAccessFeaturesApi &
  typeof eventValuesApi &
  typeof eventsApi &
  typeof decideApi &
  typeof featureFlagsApi &
  typeof flagFileApi &
  typeof flagOverridesApi &
  typeof flagSimulationApi &
  typeof forwardingApi &
  typeof geoipApi &
  typeof groupsApi &
  typeof ingestionWarningsApi &
  typeof ingestionApi &
  typeof insightVariablesApi &
  ReturnType<typeof insightListApi> &
  typeof insightsApi &
  typeof liveApi &
  typeof mcpApi &
  typeof membersApi &
  typeof noticesApi &
  typeof organizationsApi &
  typeof outgoingApi &
  typeof personalApiKeysApi &
  typeof personsApi &
  typeof projectSecretsApi &
  typeof projectsApi &
  typeof queryApi &
  typeof retentionApi &
  ReturnType<typeof searchApi> &
  typeof sessionsApi &
  typeof sharingApi &
  typeof storageApi &
  typeof surveysApi &
  typeof warehouseApi &
  typeof tagsApi &
  typeof testingApi &
  typeof usersApi;

interface ResourceRoutes {
  [history: `GET P/${string}/:id/activity/`]: { response: typeof historyPage };
}
