import type { SelectQuery } from '../../../../hogql/ast.ts';
import { call, constant, field, order } from '../../../../hogql/build.ts';
import { defineKind, type KindContext } from '../../query-kind.ts';
import { pageOf } from '../../table-columns.ts';
import { fill, pair, planWeb, type WebPlan } from './plan.ts';
import {
  externalClicksQuery,
  pageUrlsQuery,
  type ExternalClicksQuery,
  type PageUrlsQuery,
} from './schema.ts';

/** Addresses of other sites that visitors clicked. */
export const webExternalClicksKind = defineKind({
  kind: 'WebExternalClicksTableQuery',
  role: 'table',
  schema: externalClicksQuery,
  plan: planWeb<ExternalClicksQuery>,
  async answer(plan: WebPlan<ExternalClicksQuery>, context) {
    const { stripQueryParams, orderBy } = plan.query;
    const [column, direction = 'DESC'] = orderBy ?? [];
    const first = column === 'Visitors' ? 'visitors' : 'clicks';
    const clicked = field('properties', '$external_click_url');
    const value = stripQueryParams === true ? call('cutQueryStringAndFragment', clicked) : clicked;
    const statement = await fill(CLICKS, { value }, plan);
    const table = await context.runQuery({
      ...statement,
      orderBy: [order(field(first), direction), order(field('value'))],
      ...limitsOf(plan.query, context),
    });
    return {
      results: table.rows.map(([url, visitors, visitorsBefore, clicks, clicksBefore]) => [
        url,
        pair(visitors, visitorsBefore, plan),
        pair(clicks, clicksBefore, plan),
      ]),
      columns: ['url', 'visitors', 'clicks'].map((name) => `context.columns.${name}`),
      hasMore: table.hasMore,
      limit: table.limit,
      offset: table.offset,
    };
  },
});

/** Addresses of pages that hold a text. */
export const webPageUrlsKind = defineKind({
  kind: 'WebPageURLSearchQuery',
  role: 'table',
  schema: pageUrlsQuery,
  plan: planWeb<PageUrlsQuery>,
  async answer(plan: WebPlan<PageUrlsQuery>, context) {
    const { stripQueryParams, searchTerm } = plan.query;
    const url = field('properties', '$current_url');
    const value = stripQueryParams === true ? call('cutQueryStringAndFragment', url) : url;
    const wanted = call('positionCaseInsensitiveUTF8', value, constant(searchTerm ?? ''));
    const statement = await fill(PAGES, { value, wanted }, plan);
    const table = await context.runQuery({ ...statement, ...limitsOf(plan.query, context) });
    return {
      results: table.rows.map(([found]) => ({ url: found })),
      hasMore: table.hasMore,
      limit: table.limit,
    };
  },
});

/** By `cutToFirstSignificantSubdomain`, `app.example.com` and `example.com` are one site. */
const CLICKS = `
  SELECT value, uniqIf(visitor, now) AS visitors, uniqIf(visitor, NOT now) AS visitors_before, sumIf(times, now) AS clicks,
    sumIf(times, NOT now) AS clicks_before
  FROM (
    SELECT any(person_id) AS visitor, count() AS times, {value} AS value, {seen_current} AS now
    FROM events
    WHERE {seen} AND event = '$autocapture' AND properties.$event_type = 'click' AND value != '' AND {filters}
      AND cutToFirstSignificantSubdomain(value) != cutToFirstSignificantSubdomain(properties.$host)
    GROUP BY $session_id, value, now
  )
  GROUP BY value`;

const PAGES = `
  SELECT DISTINCT {value} AS value
  FROM events
  WHERE event = '$pageview' AND {seen_current} AND {filters} AND value != '' AND {wanted} > 0
  ORDER BY value`;

/** The rows of a page, as a part of a statement. */
function limitsOf(
  query: Parameters<typeof pageOf>[0],
  context: KindContext,
): Pick<SelectQuery, 'limit' | 'offset'> {
  const { limit, offset } = pageOf(query, context);
  return { ...(limit !== undefined && { limit: constant(limit) }), offset: constant(offset) };
}
