import {
  Reply,
  type Actor,
  type LookupContext,
  type ManagementRoute,
  type ProjectRef,
  routesOf,
} from '../../http/define-route.ts';
import { isRestore } from '../../http/is-restore.ts';
import { pageOf, readPage } from '../../http/paging.ts';
import { refusedDelete } from '../../http/refused-delete.ts';
import type { Clock } from '../../lib/clock.ts';
import { spanEnd, spanStart } from '../../lib/time-bounds.ts';
import {
  type InsightJson,
  type ListInsightsQuery,
  insightListApi,
  insightsApi,
} from './insights.contract.ts';
import type { Access } from '../access/index.ts';
import { INSIGHT_TYPES, type InsightFilter } from './insights.reads.ts';
import { QUERY_FAILURES, resultTable, type Queries } from '../query/index.ts';
import type { AnswerOptions, InsightAnswers } from './insight-answers.ts';
import type { InsightFailures } from './insight-failures.ts';
import type { InsightRow } from './insight-row.ts';
import type { Insights } from './insights.service.ts';
import { legacyInsightRoutes } from './legacy-insight-routes.ts';
import { stringify } from 'csv-stringify/sync';

const route = routesOf(insightsApi);
const listRoute = routesOf(insightListApi(INSIGHT_TYPES));

/**
 * What an insight answers as CSV: the rows of SQL and tables under their columns, of a chart its numbers. A text that a
 * spreadsheet would run as a formula gets a leading quote.
 */
function insightCsv({ result, columns }: Pick<InsightJson, 'result' | 'columns'>): string {
  const { names, rows } =
    columns !== null && Array.isArray(result)
      ? { names: columns, rows: result as unknown[][] }
      : resultTable(result);
  const cast = { boolean: String, object: (value: object) => JSON.stringify(value) };
  return stringify([[...names], ...rows.map((row) => [...row])], { escape_formulas: true, cast });
}

interface InsightRouteParts {
  insights: Insights;
  answers: InsightAnswers;
  access: Pick<Access, 'check'>;
  failures: Pick<InsightFailures, 'of'>;
  queries: Pick<Queries, 'open'>;
  clock: Clock;
}

type PathContext = LookupContext<{ id: string }>;

/** List, creation, reading and change of insights (management contract 9.6). */
export function insightRoutes({
  insights,
  answers,
  access,
  failures,
  queries,
  clock,
}: InsightRouteParts): ManagementRoute[] {
  const read = { auth: 'key', scope: ['insight:read'], pathObject: 'insight' } as const;
  const write = {
    auth: 'key',
    scope: ['insight:write'],
    pathObject: 'insight',
    jsonOnly: true,
    errors: ['not_editable'],
  } as const;
  const path = 'P/insights/:id/';
  const lookup = ({ actor, project, params }: PathContext) => insights.find(actor, project.id, params.id);

  /** The written insight with cached results: a write computes nothing unless requested. */
  async function written(
    actor: Actor,
    row: InsightRow,
    how: Pick<AnswerOptions, 'refresh' | 'signal'>,
  ): Promise<InsightJson> {
    const shown = (await insights.show(actor, row)) as InsightJson;
    const [filled] = await answers.fillAll(row.projectId, [shown], { ...how, actor, unasked: 'left' });
    return filled!;
  }

  const update = (method: 'PATCH' | 'PUT'): ManagementRoute =>
    route(`${method} P/insights/:id/`, {
      ...write,
      summary:
        'Updates, soft-deletes (`deleted: true`) or restores an insight; omitted fields are not changed.',
      lookup: ({ actor, project, params, sent }) =>
        insights.find(actor, project.id, params.id, { needed: 'edit', deleted: isRestore(sent) }),
      handle: async ({ actor, project, params, query: { refresh }, body, signal }) => {
        const row = await insights.update(actor, project.id, params.id, body);
        return await written(actor, row, { refresh, signal });
      },
    });

  return [
    listRoute('GET P/insights/', {
      ...read,
      summary: 'Lists insights, sorted by `order`.',
      handle: async ({ actor, project, query, url, signal }) => {
        const { order, basic, refresh } = query;
        const filter = filterOf(query, { userId: actor.user.id, project, now: clock() });
        const request = { filter, order, slice: readPage(url.searchParams) };
        const { results, count } = await insights.list(actor, project.id, request, { basic });
        if (basic) return pageOf(url, results, count);
        const options = { actor, refresh, unasked: 'left', signal } as const;
        return pageOf(url, await answers.fillAll(project.id, results as InsightJson[], options), count);
      },
    }),
    route('POST P/insights/', {
      ...write,
      summary: 'Creates an insight.',
      status: 201,
      handle: async ({ actor, project, query: { refresh }, body, signal }) =>
        written(actor, await insights.write(actor, project.id, body), { refresh, signal }),
    }),
    route('GET P/burrow/failed_insights/', {
      ...read,
      summary: 'Lists insights whose last query failed, since the server started.',
      handle: async ({ actor, project }) => {
        const failed = new Map(failures.of(project.id).map((one) => [one.insightId, one]));
        const seen = await insights.listSeen(actor, project.id, [...failed.keys()]);
        const results = seen.map(({ id, short_id, name, derived_name, dashboards }) => {
          const { message, at } = failed.get(id)!;
          const failed_at = new Date(at).toISOString();
          return { id, short_id, name: name || derived_name, dashboards, message, failed_at };
        });
        return { results };
      },
    }),
    route('GET P/insights/my_last_viewed/', {
      ...read,
      summary: 'Lists your 5 most recently viewed insights.',
      handle: async ({ actor, project, signal }) => {
        const viewed = await insights.lastViewed(actor, project.id);
        return await answers.fillAll(project.id, viewed, { actor, unasked: 'left', signal });
      },
    }),
    ...legacyInsightRoutes({ queries, access }),
    route('GET P/insights/:id/', {
      ...read,
      summary: 'Retrieves an insight by id or short id.',
      lookup,
      formats: ['json', 'csv'],
      errors: QUERY_FAILURES,
      handle: async ({ actor, project, found, query, format, signal }) => {
        const { basic, from_dashboard: fromDashboard, refresh } = query;
        const shown = await insights.show(actor, found, { basic, fromDashboard });
        if (basic && format === 'json') return shown;
        const how = { actor, refresh, isFile: format === 'csv', signal };
        const [filled] = await answers.fillAll(project.id, [shown as InsightJson], how);
        if (format === 'json') return filled;
        const csv = insightCsv(filled!);
        return Reply.stream({ 'Content-Type': 'text/csv; charset=utf-8' }, (res) => void res.end(csv));
      },
    }),
    update('PATCH'),
    update('PUT'),
    refusedDelete(path),
    route('POST P/insights/:id/viewed/', {
      ...read,
      summary: 'Records that you viewed an insight.',
      status: 201,
      lookup,
      handle: async ({ actor, found }) => {
        await insights.view(actor, found);
        return Reply.empty(201);
      },
    }),
  ];
}

/** Parses the parameters of a list; days are in the project's time zone. */
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
