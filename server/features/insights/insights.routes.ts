import {
  defineRoute,
  Reply,
  type LookupContext,
  type ManagementRoute,
  type ProjectRef,
} from '../../http/define-route.ts';
import { isBroughtBack } from '../../http/brought-back.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { refusedDelete } from '../../http/refused-delete.ts';
import type { Clock } from '../../lib/clock.ts';
import { spanEnd, spanStart } from '../../lib/time-bounds.ts';
import {
  anyInsight,
  insight,
  insightList,
  insightPage,
  insightParams,
  listInsightsQuery,
  showInsightQuery,
  writeInsightBody,
  type ListInsightsQuery,
} from './insights.contract.ts';
import type { InsightFilter } from './insights.reads.ts';
import type { Insights } from './insights.service.ts';

type PathContext = LookupContext<{ id: string }>;

/** List, creation, reading and change of insights (management contract 9.6). */
export function insightRoutes({ insights, clock }: { insights: Insights; clock: Clock }): ManagementRoute[] {
  const read = { auth: 'key', scope: ['insight:read'] } as const;
  const write = {
    auth: 'key',
    scope: ['insight:write'],
    jsonOnly: true,
    body: writeInsightBody,
    response: insight,
    errors: ['not_editable'],
  } as const;
  const path = 'P/insights/:id/';
  const lookup = ({ actor, project, params }: PathContext) => insights.find(actor, project.id, params.id);

  const update = (method: 'PATCH' | 'PUT'): ManagementRoute =>
    defineRoute({
      ...write,
      method,
      path,
      summary:
        'Changes an insight, deletes it softly (`deleted: true`) or brings it back; what is absent stays.',
      params: insightParams,
      lookup: ({ actor, project, params, sent }) =>
        insights.find(actor, project.id, params.id, { needed: 'edit', deleted: isBroughtBack(sent) }),
      handle: async ({ actor, project, params, body }) =>
        insights.show(actor, await insights.update(actor, project.id, params.id, body)),
    });

  return [
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/insights/',
      summary: 'Lists insights by their own order, or as `order` asks.',
      query: listInsightsQuery,
      response: insightPage,
      handle: async ({ actor, project, query, url }) => {
        const { order, basic } = query;
        const filter = filterOf(query, { userId: actor.user.id, project, now: clock() });
        const wanted = { filter, order, slice: readPage(url.searchParams) };
        const { results, count } = await insights.list(actor, project.id, wanted, { basic });
        return pageOf(url, results, count);
      },
    }),
    defineRoute({
      ...write,
      method: 'POST',
      path: 'P/insights/',
      summary: 'Stores an insight: a query with a name, on dashboards or not.',
      status: 201,
      handle: async ({ actor, project, body }) =>
        insights.show(actor, await insights.write(actor, project.id, body)),
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path: 'P/insights/my_last_viewed/',
      summary: 'Lists the five insights that you looked at last, the latest first.',
      response: insightList,
      handle: ({ actor, project }) => insights.lastViewed(actor, project.id),
    }),
    defineRoute({
      ...read,
      method: 'GET',
      path,
      summary: 'Shows an insight, by its id or its short id.',
      params: insightParams,
      query: showInsightQuery,
      response: anyInsight,
      lookup,
      handle: ({ actor, found, query }) =>
        insights.show(actor, found, { basic: query.basic, fromDashboard: query.from_dashboard }),
    }),
    update('PATCH'),
    update('PUT'),
    refusedDelete(path),
    defineRoute({
      ...read,
      method: 'POST',
      path: 'P/insights/:id/viewed/',
      summary: 'Notes that you look at an insight.',
      params: insightParams,
      response: null,
      status: 201,
      lookup,
      handle: async ({ actor, found }) => {
        await insights.view(actor, found);
        return Reply.empty(201);
      },
    }),
  ];
}

/** What the parameters of a list ask for; days are those of the project's time zone. */
function filterOf(
  query: ListInsightsQuery,
  { userId, project, now }: { userId: number; project: ProjectRef; now: number },
): InsightFilter {
  const { date_from: from, date_to: to, user } = query;
  const { timezone } = project;
  return {
    shortId: query.short_id,
    createdBy: query.created_by,
    madeBy: user === true ? userId : undefined,
    saved: query.saved,
    favorited: query.favorited,
    search: query.search,
    from: from === undefined ? undefined : spanStart(from, timezone, now),
    to: to === undefined ? undefined : spanEnd(to, timezone, now),
    type: query.insight,
    dashboards: query.dashboards,
    featureFlag: query.feature_flag,
  };
}
