import type { Analytics, Db } from '../../db/db.ts';
import { withQueryOptions } from '../../db/db.ts';
import { fail } from '../../errors.ts';
import { Reply, type Actor, type ManagementRoute, routesOf } from '../../http/define-route.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Access } from '../access/index.ts';
import type { Users } from '../users/index.ts';
import { surveysJson } from './survey-json.ts';
import type { Survey } from './survey-row.ts';
import { type SurveyJson, surveysApi } from './surveys.contract.ts';
import { countAnswers, listSurveys } from './surveys.reads.ts';
import type { Surveys } from './surveys.service.ts';
import { findSurvey } from './surveys.store.ts';

const route = routesOf(surveysApi);

export interface SurveyRouteParts {
  surveys: Surveys;
  db: Db;
  analytics: Analytics;
  access: Access;
  users: Users;
  clock: Clock;
}

interface PathContext {
  params: { id: string };
  project: { id: number };
  actor: Actor;
}

/** Surveys as people manage them (management contract 9.11). */
export function surveyRoutes(parts: SurveyRouteParts): ManagementRoute[] {
  const { surveys, db, analytics, access, clock } = parts;
  const read = { auth: 'key', scope: ['survey:read'], pathObject: 'survey' } as const;
  const write = {
    auth: 'key',
    scope: ['survey:write'],
    pathObject: 'survey',
    // The last are what filters of its flags are refused for.
    errors: [
      'unique',
      'does_not_exist',
      'invalid',
      'invalid_operator',
      'invalid_value',
      'invalid_date',
      'cohort_does_not_exist',
      'behavioral_cohort_found',
    ],
  } as const;

  const jsonOf = (actor: Actor, projectId: number, rows: readonly Survey[]) =>
    surveysJson(parts, { actor, projectId, now: clock() }, rows);
  const one = async (actor: Actor, projectId: number, row: Survey): Promise<SurveyJson> =>
    (await jsonOf(actor, projectId, [row]))[0]!;

  const find = async ({ params, project, actor }: PathContext, needed: 'viewer' | 'editor') => {
    const found = await findSurvey(db, project.id, params.id);
    if (found === null) throw fail('not_found');
    access.check(actor, project.id, 'survey', found, needed);
    return found;
  };
  const lookup = (context: PathContext) => find(context, 'editor');

  return [
    route('GET P/surveys/', {
      ...read,
      summary: 'Lists surveys, newest first.',
      handle: async ({ project, query, url, actor }) => {
        const { rows, count } = await listSurveys(db, project.id, query, readPage(url.searchParams));
        return pageOf(url, await jsonOf(actor, project.id, rows), count);
      },
    }),
    route('POST P/surveys/', {
      ...write,
      summary: 'Creates a survey and its targeting flags.',
      status: 201,
      handle: async ({ project, actor, body }) =>
        Reply.json(201, await one(actor, project.id, await surveys.create(actor, project.id, body))),
    }),
    route('GET P/surveys/responses_count/', {
      ...read,
      summary: 'Response counts per survey.',
      handle: async ({ project, signal }) =>
        Object.fromEntries(await countAnswers(withQueryOptions(analytics, { signal }), project.id)),
    }),
    route('GET P/surveys/:id/', {
      ...read,
      summary: 'Retrieves a survey.',
      lookup: (context) => find(context, 'viewer'),
      handle: ({ found, project, actor }) => one(actor, project.id, found),
    }),
    ...(['PATCH', 'PUT'] as const).map((method) =>
      route(`${method} P/surveys/:id/`, {
        ...write,
        summary:
          method === 'PUT'
            ? 'Updates a survey like PATCH; name, type and questions are required.'
            : 'Updates a survey and its flags; omitted fields are not changed. It runs from `start_date` to `end_date`.',
        lookup,
        handle: async ({ project, params, actor, body }) =>
          one(actor, project.id, await surveys.update(actor, project.id, params.id, body)),
      }),
    ),
    route('DELETE P/surveys/:id/', {
      ...read,
      scope: ['survey:write'],
      pathObject: 'survey',
      summary: 'Deletes a survey and its flags permanently; responses are kept as events.',
      status: 204,
      errors: ['invalid_input'],
      lookup,
      handle: async ({ project, params, actor }) => {
        await surveys.delete(actor, project.id, params.id);
        return Reply.empty(204);
      },
    }),
  ];
}
