import { insightTileAt, type BuiltInTemplate } from './template-grid.ts';

const anyEvent = { kind: 'EventsNode', event: null, name: 'All events' };
const pageview = { kind: 'EventsNode', event: '$pageview', name: '$pageview' };
const anyEntity = { id: null, type: 'events', name: 'All events' };

/** The first dashboard of a product: who uses it, who stays, and where they come from. Any events will do. */
export const defaultAppTemplate: BuiltInTemplate = {
  id: '0199aa10-7e00-7000-8000-00000000da01',
  key: 'DEFAULT_APP',
  template_name: 'Product analytics',
  dashboard_description: 'Who uses the product, who stays, and where people come from.',
  dashboard_filters: {},
  tags: ['product'],
  tiles: [
    insightTileAt(0, {
      name: 'Active people per day',
      description: 'How many different people did anything on each of the last 30 days.',
      source: {
        kind: 'TrendsQuery',
        series: [{ ...anyEvent, math: 'dau' }],
        interval: 'day',
        dateRange: { date_from: '-30d' },
        trendsFilter: { display: 'ActionsLineGraph' },
      },
    }),
    insightTileAt(1, {
      name: 'Active people per week',
      description: 'The same by week: less noise, and growth is easier to see.',
      source: {
        kind: 'TrendsQuery',
        series: [{ ...anyEvent, math: 'dau' }],
        interval: 'week',
        dateRange: { date_from: '-90d' },
        trendsFilter: { display: 'ActionsBar' },
      },
    }),
    insightTileAt(2, {
      name: 'People who come back',
      description: 'Of those who were seen first in a week, how many are seen again in later weeks.',
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
      name: 'New, returning and lost people',
      description: 'Where growth comes from: who is new each week, who stays, who returns, and who is gone.',
      source: {
        kind: 'LifecycleQuery',
        series: [anyEvent],
        interval: 'week',
        dateRange: { date_from: '-60d' },
      },
    }),
    insightTileAt(4, {
      name: 'Where visitors come from',
      description: 'People of the last 14 days by the site that referred them.',
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
      name: 'From the first page to the third',
      description: 'How many people open a second and a third page within a day, by browser.',
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
