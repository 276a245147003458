import { insightTileAt, textTileAt, type BuiltInTemplate } from './template-grid.ts';

const pageview = { kind: 'EventsNode', event: '$pageview', name: '$pageview' };
const visitors = { ...pageview, math: 'dau', custom_name: 'Visitors' };

/** Visitors by a property of their page views, the most frequent values first. */
function visitorsBy(place: number, name: string, property: string, display: string) {
  return insightTileAt(place, {
    name,
    description: `Visitors of the last 30 days by ${property}.`,
    source: {
      kind: 'TrendsQuery',
      series: [visitors],
      dateRange: { date_from: '-30d' },
      breakdownFilter: { breakdown: property, breakdown_type: 'event' },
      trendsFilter: { display },
    },
  });
}

/** A website: how many visitors, what they read, where they come from, and with what. Reads `$pageview` of posthog-js. */
export const websiteTrafficTemplate: BuiltInTemplate = {
  id: '0199aa10-7e00-7000-8000-00000000da02',
  key: 'WEBSITE_TRAFFIC',
  template_name: 'Website traffic',
  dashboard_description: 'Visitors, most viewed pages and traffic sources.',
  dashboard_filters: {},
  tags: ['web'],
  tiles: [
    textTileAt(
      0,
      '**Website traffic**\n\nCounted from `$pageview`, which posthog-js sends for each page that is opened. A visitor is one person, however many pages they open.',
    ),
    insightTileAt(2, {
      name: 'Visitors per day',
      description: 'Unique visitors per day, compared to the previous month.',
      source: {
        kind: 'TrendsQuery',
        series: [visitors],
        interval: 'day',
        dateRange: { date_from: '-30d' },
        compareFilter: { compare: true },
        trendsFilter: { display: 'ActionsLineGraph' },
      },
    }),
    insightTileAt(3, {
      name: 'Pageviews and sessions per day',
      description: 'Number of pageviews and sessions per day.',
      source: {
        kind: 'TrendsQuery',
        series: [
          { ...pageview, math: 'total', custom_name: 'Page views' },
          { ...pageview, math: 'unique_session', custom_name: 'Sessions' },
        ],
        interval: 'day',
        dateRange: { date_from: '-30d' },
        trendsFilter: { display: 'ActionsLineGraph' },
      },
    }),
    visitorsBy(4, 'Most viewed pages', '$pathname', 'ActionsTable'),
    visitorsBy(5, 'Referring sites', '$referring_domain', 'ActionsBarValue'),
    visitorsBy(6, 'Campaigns', 'utm_source', 'ActionsBarValue'),
    visitorsBy(7, 'Countries', '$geoip_country_code', 'WorldMap'),
    visitorsBy(8, 'Devices', '$device_type', 'ActionsPie'),
    visitorsBy(9, 'Browsers', '$browser', 'ActionsPie'),
    insightTileAt(10, {
      name: 'Visitor retention',
      description: 'Share of visitors of a week who return in later weeks.',
      source: {
        kind: 'RetentionQuery',
        retentionFilter: {
          period: 'Week',
          totalIntervals: 8,
          retentionType: 'retention_recurring',
          targetEntity: { id: '$pageview', type: 'events', name: '$pageview' },
          returningEntity: { id: '$pageview', type: 'events', name: '$pageview' },
        },
      },
    }),
    insightTileAt(11, {
      name: 'User paths',
      description: 'Order in which pages are viewed.',
      source: {
        kind: 'PathsQuery',
        dateRange: { date_from: '-7d' },
        pathsFilter: { includeEventTypes: ['$pageview'], stepLimit: 4, edgeLimit: 50 },
      },
    }),
  ],
};
