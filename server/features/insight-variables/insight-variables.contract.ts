import { z } from 'zod';
import { textField } from '../../http/fields.contract.ts';
import { pageSchema } from '../../http/paging.contract.ts';

const MAX_NAME_LENGTH = 400;

const type = z.enum(['String', 'Number', 'Boolean', 'List', 'Date']);

const insightVariableParams = z.object({ id: z.guid() });

/** Body of PATCH; what is absent stays. `code_name` stays as it was first, because queries hold it. */
const updateInsightVariableBody = z.object({
  name: textField(MAX_NAME_LENGTH).optional(),
  type: type.optional(),
  default_value: z.json().optional(),
  /** Of a List: what can be chosen. */
  values: z.array(z.json()).nullable().optional(),
});
export type UpdateInsightVariableBody = z.output<typeof updateInsightVariableBody>;

/** Body of POST and PUT (management contract 9.10). */
export const createInsightVariableBody = updateInsightVariableBody.required({ name: true, type: true });
export type CreateInsightVariableBody = z.output<typeof createInsightVariableBody>;

export const insightVariable = z
  .strictObject({
    id: z.guid(),
    name: z.string(),
    type,
    default_value: z.json(),
    /** The name by which SQL means it: `{variables.code_name}`. */
    code_name: z.string(),
    values: z.array(z.json()).nullable(),
    /** Id of a user. */
    created_by: z.int().nullable(),
    created_at: z.string(),
  })
  .meta({ id: 'InsightVariable' });
export type InsightVariableJson = z.output<typeof insightVariable>;

export const insightVariablePage = pageSchema(insightVariable);

export const insightVariablesApi = {
  'GET P/insight_variables/': { response: insightVariablePage },
  'POST P/insight_variables/': { body: createInsightVariableBody, response: insightVariable },
  'GET P/insight_variables/:id/': { params: insightVariableParams, response: insightVariable },
  'PATCH P/insight_variables/:id/': {
    params: insightVariableParams,
    body: updateInsightVariableBody,
    response: insightVariable,
  },
  'PUT P/insight_variables/:id/': {
    params: insightVariableParams,
    body: createInsightVariableBody,
    response: insightVariable,
  },
  'DELETE P/insight_variables/:id/': { params: insightVariableParams, response: null },
};
