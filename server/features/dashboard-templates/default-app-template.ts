import { insightTileAt, type BuiltInTemplate } from './template-grid.ts';

const anyEvent = { kind: 'EventsNode', event: null, name: 'All events' };
const pageview = { kind: 'EventsNode', event: '$pageview', name: '$pageview' };
const anyEntity = { id: null, type: 'events', name: 'All events' };

/** The first dashboard of a product: who uses it, who stays, and where they come from. Any events will do. */
export const defaultAppTemplate: BuiltInTemplate = {
  id: '0199aa10-7e00-7000-8000-00000000da01',
  key: 'DEFAULT_APP',
  template_name: 'Product analytics',
  dashboard_description: 'Active users, retention and traffic sources.',
  dashboard_filters: {},
  tags: ['product'],
  tiles: [
    insightTileAt(0, {
      name: 'Daily active users',
      description: 'Unique users per day in the last 30 days.',
      source: {
        kind: 'TrendsQuery',
        series: [{ ...anyEvent, math: 'dau' }],
        interval: 'day',
        dateRange: { date_from: '-30d' },
        trendsFilter: { display: 'ActionsLineGraph' },
      },
    }),
    insightTileAt(1, {
      name: 'Weekly active users',
      description: 'Unique users per week, to see growth without daily variation.',
      source: {
        kind: 'TrendsQuery',
        series: [{ ...anyEvent, math: 'dau' }],
        interval: 'week',
        dateRange: { date_from: '-90d' },
        trendsFilter: { display: 'ActionsBar' },
      },
    }),
    insightTileAt(2, {
      name: 'Retention',
      description: 'Share of new users of a week who return in later weeks.',
      source: {
        kind: 'RetentionQuery',
        retentionFilter: {
          period: 'Week',
          totalIntervals: 8,
          retentionType: 'retention_first_time',
          targetEntity: anyEntity,
          returningEntity: anyEntity,
        },
      },
    }),
    insightTileAt(3, {
      name: 'Growth accounting',
      description: 'New, returning, resurrecting and dormant users per week.',
      source: {
        kind: 'LifecycleQuery',
        series: [anyEvent],
        interval: 'week',
        dateRange: { date_from: '-60d' },
      },
    }),
    insightTileAt(4, {
      name: 'Referring domains',
      description: 'Unique users of the last 14 days by referring domain.',
      source: {
        kind: 'TrendsQuery',
        series: [{ ...pageview, math: 'dau' }],
        interval: 'day',
        dateRange: { date_from: '-14d' },
        breakdownFilter: { breakdown: '$referring_domain', breakdown_type: 'event' },
        trendsFilter: { display: 'ActionsBarValue' },
      },
    }),
    insightTileAt(5, {
      name: 'Pageview funnel, by browser',
      description: 'Users who view a second and a third page within 1 day, by browser.',
      source: {
        kind: 'FunnelsQuery',
        series: [pageview, pageview, pageview].map((step, index) => ({
          ...step,
          custom_name: ['First page', 'Second page', 'Third page'][index]!,
        })),
        dateRange: { date_from: '-7d' },
        breakdownFilter: { breakdown: '$browser', breakdown_type: 'event' },
        funnelsFilter: {
          funnelVizType: 'steps',
          funnelOrderType: 'ordered',
          funnelWindowInterval: 1,
          funnelWindowIntervalUnit: 'day',
        },
      },
    }),
  ],
};
