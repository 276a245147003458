export type { PublicSurvey } from './surveys.contract.ts';
export { publicSurveyRoutes } from './public-survey-routes.ts';
export { surveyRoutes } from './surveys.routes.ts';
export { createSurveys, type Surveys } from './surveys.service.ts';
export { surveyResource } from './surveys.resource.ts';
