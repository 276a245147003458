import {
  all, by, byPersons, did, experimentFlag, funnel, healthDashboard, lifecycle, number, paths, person, retention, rolloutFlag, series, sql, stickiness, sumOf, trends, type DemoContent,
} from './content.ts'; // prettier-ignore

/** Days of the story on which something happens; the annotations say what. */
export const SHOP_DAYS = {
  club: 91,
  sale: 175,
  saleEnds: 182,
  adviser: 210,
  video: 268,
  outage: 300,
  experiment: 308,
  bug: 326,
  fix: 331,
} as const;

// prettier-ignore
export const SHOP_CONTENT: DemoContent = {
  flags: [
    experimentFlag('one-page-checkout', 'Experiment: address and payment on one page, so that more orders are completed'),
    rolloutFlag('size-adviser', 'Answers questions about sizes', 100),
    rolloutFlag('club-prices', 'Five percent off for members of the club', 100, [person('plan', ['club'])]),
    rolloutFlag('pickup-in-store', 'Orders can be collected', 20),
    { ...rolloutFlag('anniversary-banner', 'Only during the sale', 100), isActive: false },
  ],
  survey: { name: 'How likely are you to recommend Larch & Loft?', question: 'How likely are you to recommend us to a friend?' },
  actions: [
    { name: 'Bought something', description: 'A completed order.', steps: [{ event: 'order completed' }] },
    { name: 'Looked at shoes', description: 'A product of the category shoes.', steps: [{ event: 'product viewed', properties: [{ type: 'event', key: 'category', value: ['shoes'], operator: 'exact' }] }] },
    { name: 'Read a guide', description: 'A page below /guides.', steps: [{ event: '$pageview', url: '/guides/', url_matching: 'contains' }] },
  ],
  cohorts: [
    { name: 'Club members', description: 'Persons who joined the club.', rule: all(person('plan', ['club'])) },
    { name: 'Regular customers', description: 'With three orders or more.', rule: all(person('orders', 3, 'gte')) },
    { name: 'Bought this month', description: 'An order in the last 30 days.', rule: all(did('order completed', 30)) },
    { name: 'Left with a full cart', description: 'Started a checkout in the last 7 days.', rule: all(did('checkout started', 7)) },
  ],
  annotations: [
    { day: SHOP_DAYS.club, text: 'The club opens: 5% off for members.' },
    { day: SHOP_DAYS.sale, text: 'Anniversary sale begins: 20% off for a week, announced in the newsletter.' },
    { day: SHOP_DAYS.saleEnds, text: 'Anniversary sale ends.' },
    { day: SHOP_DAYS.adviser, text: 'Size adviser released.' },
    { day: SHOP_DAYS.video, text: 'A video about hut-to-hut hikes brings many visitors who seldom buy.' },
    { day: SHOP_DAYS.outage, hour: 18, text: 'The payment provider is down from 18:00 to 20:30 UTC.' },
    { day: SHOP_DAYS.experiment, text: 'Experiment "one-page-checkout" begins with half of all customers.' },
    { day: SHOP_DAYS.bug, text: 'Release 118: the checkout fails in Samsung Internet.' },
    { day: SHOP_DAYS.fix, text: 'Release 119 repairs the checkout.' },
  ],
  dashboards: [
    {
      name: 'Shop overview',
      description: 'How the shop is doing.',
      tiles: [
        { name: 'Revenue', description: 'In the last 30 days.', columns: 3, query: number([series('order completed', sumOf('revenue'))], { trendsFilter: { aggregationAxisPrefix: '€' } }) },
        { name: 'Orders', description: 'In the last 30 days.', columns: 3, query: number([series('order completed')]) },
        { name: 'Order value', description: 'Average of the last 30 days.', columns: 3, query: number([series('order completed', { math: 'avg', math_property: 'revenue' })], { trendsFilter: { aggregationAxisPrefix: '€' } }) },
        { name: 'Score of recommendation', description: 'Average answer of the survey, from 0 to 10.', columns: 3, query: number([series('survey sent', { math: 'avg', math_property: '$survey_response' })]) },
        { name: 'Revenue per week', description: 'By store. The sale is in the annotations.', columns: 8, query: trends([series('order completed', sumOf('revenue'))], 'ActionsBar', { interval: 'week', dateRange: { date_from: '-365d' }, ...by('$group_0') }) },
        { name: 'Customers', description: 'Orders of the last 30 days by membership.', columns: 4, query: trends([series('order completed')], 'ActionsPie', { ...by('plan', 'person'), dateRange: { date_from: '-30d' } }) },
        { name: 'From visit to order', description: 'Within a week.', columns: 6, query: funnel(['product viewed', 'product added', 'checkout started', 'payment info added', 'order completed'], { days: 7, from: '-60d' }) },
        { name: 'Customers who come back', description: 'Persons who ordered and ordered again in later months.', columns: 6, query: retention('order completed', 'order completed', 'Month', 8) },
      ],
    },
    {
      name: 'Marketing',
      description: 'Where visitors come from, and what they are worth.',
      tiles: [
        { name: 'Visitors', description: 'Unique visitors per day.', columns: 12, query: trends([series('$pageview', byPersons)], 'ActionsAreaGraph', { dateRange: { date_from: '-200d' } }) },
        { name: 'Campaigns', description: 'Unique visitors of the last 200 days.', columns: 6, query: trends([series('$pageview', byPersons)], 'ActionsBarValue', { ...by('utm_campaign'), dateRange: { date_from: '-200d' } }) },
        { name: 'Referring domains', description: 'Unique visitors of the last 30 days.', columns: 6, query: trends([series('$pageview', byPersons)], 'ActionsTable', { ...by('$referring_domain'), dateRange: { date_from: '-30d' } }) },
        { name: 'Countries', description: 'Orders of the last 90 days.', columns: 6, query: trends([series('order completed')], 'WorldMap', by('$geoip_country_code')) },
        { name: 'Cart to order by device', description: 'Phones lose more on the way.', columns: 6, query: funnel(['product added', 'order completed'], { days: 7, ...by('$device_type') }) },
        { name: 'Paths from the home page', description: 'Pages of the last 14 days.', columns: 12, query: paths('$pageview', { startPoint: 'https://larchandloft.example/' }) },
      ],
    },
    {
      name: 'Checkout',
      description: 'What happens between cart and order.',
      tiles: [
        { name: 'Experiment: one-page checkout', description: 'Checkout to order, by variant. One page works better.', columns: 6, query: funnel(['checkout started', 'order completed'], { days: 1, from: '-56d', ...by('$feature/one-page-checkout') }) },
        { name: 'Time to order', description: 'Since a product was added.', columns: 6, query: funnel(['product added', 'order completed'], { days: 7, viz: 'time_to_convert' }) },
        { name: 'Conversion of the checkout', description: 'Per week; the payment outage and the bug are in it.', columns: 6, query: funnel(['checkout started', 'order completed'], { days: 1, from: '-120d', viz: 'trends', interval: 'week' }) },
        { name: 'Failed payments', description: 'By reason.', columns: 6, query: trends([series('payment failed')], 'ActionsBar', by('reason')) },
        { name: 'Returns', description: 'Share of orders that come back, per month.', columns: 6, query: trends([series('order returned'), series('order completed')], 'ActionsLineGraph', { interval: 'month', dateRange: { date_from: '-365d' }, trendsFilter: { formula: '100 * A / B' } }) },
        { name: 'When people buy', description: 'Orders by weekday and hour, UTC.', columns: 6, query: trends([series('order completed')], 'CalendarHeatmap') },
      ],
    },
    {
      name: 'Customers and products',
      description: 'Who buys what.',
      tiles: [
        { name: 'Growth accounting', description: 'New, returning, resurrecting and dormant customers.', columns: 6, query: lifecycle('product viewed') },
        { name: 'Days with a visit', description: 'Of the last 30 days.', columns: 6, query: stickiness('$pageview') },
        { name: 'Categories', description: 'Products added, per week.', columns: 6, query: trends([series('product added')], 'ActionsAreaGraph', { ...by('category'), interval: 'week' }) },
        { name: 'Revenue since the beginning', description: 'Cumulative.', columns: 6, query: trends([series('order completed', sumOf('revenue'))], 'ActionsLineGraphCumulative', { interval: 'month', dateRange: { date_from: '-365d' } }) },
        { name: 'Products', description: 'Views and carts of the last 90 days.', columns: 12, query: sql("select properties.sku as sku, countIf(event = 'product viewed') as views, countIf(event = 'product added') as carts, round(100 * countIf(event = 'product added') / countIf(event = 'product viewed'), 1) as percent from events where event in ('product viewed', 'product added') and timestamp > now() - interval 90 day group by sku order by views desc") },
      ],
    },
    healthDashboard('The payment outage, the broken checkout, and what the size adviser costs.'),
  ],
};
