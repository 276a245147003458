import { defineResource } from '../../http/define-resource.ts';

export const insightVariableResource = defineResource({
  noun: 'insight_variable',
  activity: 'InsightVariable',
});
