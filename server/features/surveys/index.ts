import type { Feature } from '../../http/define-route.ts';
import type { Actions } from '../actions/index.ts';
import type { Projects } from '../projects/index.ts';
import type { RemoteConfigFeature } from '../remote-config/index.ts';
import { publicSurveyRoutes } from './public-survey-routes.ts';
import { surveyResource } from './surveys.resource.ts';
import { surveyRoutes, type SurveyRouteParts } from './surveys.routes.ts';
import { createSurveys, type SurveyParts, type Surveys } from './surveys.service.ts';

export { type Surveys } from './surveys.service.ts';

export async function surveysFeature(
  needs: Omit<SurveyParts, 'actorFor'> &
    Omit<SurveyRouteParts, 'surveys'> & {
      actions: Actions;
      projects: Projects;
      remoteConfig: RemoteConfigFeature;
    },
): Promise<Feature & { surveys: Surveys }> {
  const surveys = createSurveys({ ...needs, actorFor: needs.users.actorFor });
  await surveys.load();
  needs.actions.onChange(surveys.refresh);
  needs.remoteConfig.showSurveys(surveys.shownNow);
  return {
    name: 'surveys',
    surveys,
    resources: [surveyResource],
    routes: surveyRoutes({ ...needs, surveys }),
    publicRoutes: publicSurveyRoutes({
      findProject: needs.projects.findByToken,
      surveysOf: surveys.shownNow,
    }),
  };
}
