import type { Db } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { Reply, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import type { Access } from '../access/index.ts';
import { type InsightVariableJson, insightVariablesApi } from './insight-variables.contract.ts';
import { listVariables } from './insight-variables.reads.ts';
import type { InsightVariables } from './insight-variables.service.ts';
import { findVariable } from './insight-variables.store.ts';
import type { InsightVariable } from './variable-row.ts';

const route = routesOf(insightVariablesApi);

export interface InsightVariableRouteParts {
  variables: InsightVariables;
  db: Db;
  access: Access;
}

interface PathContext {
  params: { id: string };
  project: { id: number };
  actor: Actor;
}

export function insightVariableRoutes({
  variables,
  db,
  access,
}: InsightVariableRouteParts): ManagementRoute[] {
  const read = { auth: 'key', scope: ['insight_variable:read'], pathObject: 'insight_variable' } as const;
  const write = { auth: 'key', scope: ['insight_variable:write'], pathObject: 'insight_variable' } as const;

  const find = async ({ params, project, actor }: PathContext, needed: 'viewer' | 'editor') => {
    const found = await findVariable(db, project.id, params.id);
    if (found === null) throw fail('not_found');
    access.check(actor, project.id, 'insight_variable', found, needed);
    return found;
  };
  const lookup = (context: PathContext) => find(context, 'editor');

  return [
    route('GET P/insight_variables/', {
      ...read,
      summary: 'Lists the variables of SQL insights, oldest first.',
      handle: async ({ project, url }) => {
        const { rows, count } = await listVariables(db, project.id, readPage(url.searchParams));
        return pageOf(url, rows.map(variableOf), count);
      },
    }),
    route('POST P/insight_variables/', {
      ...write,
      summary: 'Creates a variable for SQL insights.',
      status: 201,
      errors: ['unique'],
      handle: async ({ project, actor, body }) =>
        Reply.json(201, variableOf(await variables.create(actor, project.id, body))),
    }),
    route('GET P/insight_variables/:id/', {
      ...read,
      summary: 'Retrieves a variable.',
      lookup: (context) => find(context, 'viewer'),
      handle: ({ found }) => variableOf(found),
    }),
    route('PATCH P/insight_variables/:id/', {
      ...write,
      summary: 'Updates a variable; omitted fields and the code name are not changed.',
      lookup,
      handle: async ({ project, params, actor, body }) =>
        variableOf(await variables.update(actor, project.id, params.id, body)),
    }),
    route('PUT P/insight_variables/:id/', {
      ...write,
      summary: 'Updates a variable like PATCH; name and type are required.',
      lookup,
      handle: async ({ project, params, actor, body }) =>
        variableOf(await variables.update(actor, project.id, params.id, body)),
    }),
    route('DELETE P/insight_variables/:id/', {
      ...write,
      summary: 'Deletes a variable permanently.',
      status: 204,
      lookup,
      handle: async ({ project, params, actor }) => {
        await variables.delete(actor, project.id, params.id);
        return Reply.empty(204);
      },
    }),
  ];
}

/** A variable as it is answered (management contract 9.10). */
function variableOf(variable: InsightVariable): InsightVariableJson {
  return {
    id: variable.id,
    name: variable.name,
    type: variable.type,
    default_value: variable.defaultValue,
    code_name: variable.codeName,
    values: variable.values,
    created_by: variable.createdBy,
    created_at: variable.createdAt,
  };
}
