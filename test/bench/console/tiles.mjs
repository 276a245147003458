// @ts-check
/** A full dashboard: twenty insights of all kinds, each about all of the days that the events lie in. */

const EVENTS = ['$pageview', 'item_viewed', 'item_added', 'search_performed', 'signup', 'purchase'];
const STEPS = ['$pageview', 'item_added', 'purchase'];

/** @param {string | null} event @param {object} [more] */
const node = (event, more = {}) => ({ kind: 'EventsNode', event, ...more });

/** @param {number} days @param {object} more */
const trend = (days, more) => ({
  kind: 'TrendsQuery',
  interval: 'day',
  dateRange: { date_from: `-${days}d` },
  ...more,
});

/** @param {number} days @param {string | null} event @param {string} display @param {object} [more] */
const numberOf = (days, event, display, more = {}) =>
  trend(days, { series: [node(event)], trendsFilter: { display }, ...more });

/** @param {number} days @returns {{ name: string, source: object }[]} */
function insightsOf(days) {
  const byPlan = { breakdownFilter: { breakdown: 'plan', breakdown_type: 'event' } };
  const byBrowser = { breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' } };
  const people = (/** @type {string} */ event) => node(event, { math: 'dau' });
  const funnel = (/** @type {string[]} */ steps) => ({
    kind: 'FunnelsQuery',
    dateRange: { date_from: `-${days}d` },
    series: steps.map((event) => node(event)),
    funnelsFilter: { funnelWindowInterval: 7, funnelWindowIntervalUnit: 'day' },
  });
  return [
    ...EVENTS.slice(0, 4).map((event) => ({
      name: `How often ${event}`,
      source: numberOf(days, event, 'BoldNumber'),
    })),
    { name: 'Views and carts', source: trend(days, { series: [node('$pageview'), node('item_added')] }) },
    { name: 'People a day', source: trend(days, { series: [people('$pageview')] }) },
    { name: 'People of two kinds', source: trend(days, { series: [people('signup'), people('purchase')] }) },
    { name: 'Views by plan', source: numberOf(days, '$pageview', 'ActionsLineGraph', byPlan) },
    { name: 'Purchases by plan', source: numberOf(days, 'purchase', 'ActionsAreaGraph', byPlan) },
    {
      name: 'Searches a week',
      source: numberOf(days, 'search_performed', 'ActionsBar', { interval: 'week' }),
    },
    { name: 'Views by browser', source: numberOf(days, '$pageview', 'ActionsBarValue', byBrowser) },
    { name: 'Share of browsers', source: numberOf(days, '$pageview', 'ActionsPie', byBrowser) },
    { name: 'Purchases by browser', source: numberOf(days, 'purchase', 'ActionsTable', byBrowser) },
    {
      name: 'Large amounts',
      source: numberOf(days, null, 'ActionsLineGraph', {
        properties: [{ type: 'event', key: 'amount', operator: 'gt', value: 900 }],
      }),
    },
    { name: 'From view to purchase', source: funnel(STEPS) },
    { name: 'From search to purchase', source: funnel(['search_performed', 'purchase']) },
    {
      name: 'Who comes back',
      source: {
        kind: 'RetentionQuery',
        retentionFilter: {
          period: 'Week',
          totalIntervals: 8,
          retentionType: 'retention_recurring',
          targetEntity: { id: '$pageview', name: '$pageview', type: 'events' },
          returningEntity: { id: '$pageview', name: '$pageview', type: 'events' },
        },
      },
    },
    {
      name: 'Days of use',
      source: {
        kind: 'StickinessQuery',
        interval: 'day',
        dateRange: { date_from: '-30d' },
        series: [node('$pageview')],
      },
    },
    {
      name: 'New and returning',
      source: {
        kind: 'LifecycleQuery',
        interval: 'week',
        dateRange: { date_from: `-${days}d` },
        series: [node('$pageview')],
      },
    },
    {
      name: 'Events by name',
      source: {
        kind: 'HogQLQuery',
        query: 'SELECT event, count() AS events FROM events GROUP BY event ORDER BY events DESC',
      },
    },
  ];
}

/** The template of a dashboard of twenty tiles over so many days. @param {number} days */
export function templateOf(days) {
  return {
    template_name: 'Twenty tiles',
    dashboard_description: '',
    dashboard_filters: {},
    tags: ['bench'],
    tiles: insightsOf(days).map(({ name, source }, at) => ({
      type: 'INSIGHT',
      name,
      description: '',
      query:
        /** @type {{ kind: string }} */ (source).kind === 'HogQLQuery'
          ? { kind: 'DataVisualizationNode', source }
          : { kind: 'InsightVizNode', source },
      layouts: { sm: { x: (at % 4) * 3, y: Math.floor(at / 4) * 5, w: 3, h: 5 } },
      color: 'blue',
    })),
  };
}
