import {
  all, by, byPersons, did, experimentFlag, funnel, healthDashboard, lifecycle, number, paths, person, retention, rolloutFlag, series, sql, stickiness, sumOf, trends, type DemoContent,
} from './content.ts'; // prettier-ignore

/** Days of the story on which something happens; the annotations say what. */
export const SAAS_DAYS = {
  launch: 121,
  assistant: 203,
  outage: 219,
  price: 252,
  campaign: 283,
  experiment: 308,
  bug: 338,
  fix: 343,
} as const;

// prettier-ignore
export const SAAS_CONTENT: DemoContent = {
  flags: [
    experimentFlag('onboarding-checklist', 'Experiment: a checklist after sign-up, so that more persons create an invoice'),
    rolloutFlag('ai-assistant', 'Drafts of reminders and texts', 100),
    rolloutFlag('client-portal', 'Clients see and pay their invoices in one place', 25, [person('plan', ['pro', 'team'])]),
    rolloutFlag('recurring-invoices', 'Invoices that repeat, for paid plans', 100, [person('plan', ['pro', 'team'])]),
    { ...rolloutFlag('dark-mode', 'Replaced by the setting of the system', 100), isActive: false },
  ],
  survey: { name: 'How likely are you to recommend Paperboat?', question: 'How likely are you to recommend Paperboat to a colleague?' },
  actions: [
    { name: 'Got paid', description: 'An invoice was paid by the client.', steps: [{ event: 'invoice paid' }] },
    { name: 'Clicked Start for free', description: 'The button on the pricing page.', steps: [{ event: '$autocapture', properties: [{ type: 'event', key: '$el_text', value: ['Start for free'], operator: 'exact' }] }] },
    { name: 'Money moved', description: 'A payment for a plan, or a change of the plan.', steps: [{ event: 'payment succeeded' }, { event: 'plan upgraded' }] },
  ],
  cohorts: [
    { name: 'Paying customers', description: 'Persons on a paid plan.', rule: all(person('plan', ['pro', 'team'])) },
    { name: 'Active this week', description: 'Created an invoice in the last 7 days.', rule: all(did('invoice created', 7)) },
    { name: 'Active free users', description: 'Candidates for an upgrade.', rule: all(person('plan', ['free']), did('invoice sent', 30)) },
    { name: 'Test accounts', description: 'Of the company itself.', rule: all(person('email', '@paperboat.example', 'icontains')) },
  ],
  annotations: [
    { day: SAAS_DAYS.launch, text: 'Launch on Product Hunt: seven times the usual visitors for two days, few of whom stay.' },
    { day: SAAS_DAYS.assistant, text: 'AI assistant released: drafts of reminders and texts.' },
    { day: SAAS_DAYS.outage, hour: 14, text: 'Outage of the API from 14:00 to 16:30 UTC: no work was possible.' },
    { day: SAAS_DAYS.price, text: 'Pro costs €15 instead of €12: fewer upgrades, more revenue from each.' },
    { day: SAAS_DAYS.campaign, text: 'Campaign "freelancer-weeks" begins on Google Ads.' },
    { day: SAAS_DAYS.experiment, text: 'Experiment "onboarding-checklist" begins: half of new users see a checklist.' },
    { day: SAAS_DAYS.bug, text: 'Release 2.14: the preview of invoices fails in Safari.' },
    { day: SAAS_DAYS.fix, text: 'Release 2.14.1 repairs the preview in Safari.' },
  ],
  dashboards: [
    {
      name: 'Paperboat overview',
      description: 'How the product is doing.',
      tiles: [
        { name: 'Sign-ups', description: 'In the last 30 days.', columns: 3, query: number([series('signed up')]) },
        { name: 'Active companies', description: 'Companies that created an invoice in the last 30 days.', columns: 3, query: number([series('invoice created', { math: 'unique_group', math_group_type_index: 0 })]) },
        { name: 'Revenue', description: 'Payments for plans in the last 30 days.', columns: 3, query: number([series('payment succeeded', sumOf('amount'))], { trendsFilter: { aggregationAxisPrefix: '€' } }) },
        { name: 'Score of recommendation', description: 'Average answer of the survey, from 0 to 10.', columns: 3, query: number([series('survey sent', { math: 'avg', math_property: '$survey_response' })]) },
        { name: 'Sign-ups per week', description: 'The launch and the campaign are in the annotations.', columns: 8, query: trends([series('signed up')], 'ActionsLineGraph', { interval: 'week', dateRange: { date_from: '-365d' } }) },
        { name: 'Plans', description: 'Active persons by their plan.', columns: 4, query: trends([series('invoice created', byPersons)], 'ActionsPie', { ...by('plan', 'person'), dateRange: { date_from: '-30d' } }) },
        { name: 'From visit to plan', description: 'Within 60 days.', columns: 6, query: funnel(['$pageview', 'signed up', 'invoice created', 'invoice sent', 'plan upgraded'], { days: 60, from: '-120d' }) },
        { name: 'Retention of new users', description: 'Persons who signed up and worked in later weeks.', columns: 6, query: retention('signed up', 'invoice created', 'Week', 9) },
      ],
    },
    {
      name: 'Acquisition',
      description: 'Where visitors come from, and what they do first.',
      tiles: [
        { name: 'Visitors', description: 'Unique visitors per day.', columns: 12, query: trends([series('$pageview', byPersons)], 'ActionsAreaGraph', { dateRange: { date_from: '-180d' } }) },
        { name: 'Referring domains', description: 'Unique visitors of the last 30 days.', columns: 6, query: trends([series('$pageview', byPersons)], 'ActionsBarValue', { ...by('$referring_domain'), dateRange: { date_from: '-30d' } }) },
        { name: 'Sign-ups by campaign', description: 'Of the last 120 days.', columns: 6, query: trends([series('signed up')], 'ActionsTable', { ...by('utm_campaign'), dateRange: { date_from: '-120d' } }) },
        { name: 'Countries', description: 'Unique visitors of the last 90 days.', columns: 6, query: trends([series('$pageview', byPersons)], 'WorldMap', by('$geoip_country_code')) },
        { name: 'Sign-up by device', description: 'Phones lose more on the way.', columns: 6, query: funnel(['signup started', 'signed up'], { days: 1, ...by('$device_type') }) },
        { name: 'Paths from the home page', description: 'Pages of the last 14 days.', columns: 12, query: paths('$pageview', { startPoint: 'https://paperboat.example/' }) },
      ],
    },
    {
      name: 'Activation and engagement',
      description: 'Who creates invoices, and how often.',
      tiles: [
        { name: 'Experiment: onboarding checklist', description: 'Sign-up to the first invoice, by variant. The checklist works.', columns: 6, query: funnel(['signed up', 'invoice created'], { days: 7, from: '-56d', ...by('$feature/onboarding-checklist') }) },
        { name: 'Time to the first invoice', description: 'Since sign-up.', columns: 6, query: funnel(['signed up', 'invoice created'], { days: 14, viz: 'time_to_convert' }) },
        { name: 'Activation over time', description: 'Share of a week’s sign-ups that created an invoice.', columns: 6, query: funnel(['signed up', 'invoice created'], { days: 7, from: '-180d', viz: 'trends', interval: 'week' }) },
        { name: 'Growth accounting', description: 'New, returning, resurrecting and dormant persons.', columns: 6, query: lifecycle('invoice created') },
        { name: 'Days with an invoice', description: 'Of the last 30 days.', columns: 6, query: stickiness('invoice created') },
        { name: 'When people work', description: 'Invoices by weekday and hour, UTC.', columns: 6, query: trends([series('invoice created')], 'CalendarHeatmap', { dateRange: { date_from: '-90d' } }) },
        { name: 'Invoices per active person', description: 'Per week.', columns: 6, query: trends([series('invoice created'), series('invoice created', byPersons)], 'ActionsLineGraph', { interval: 'week', dateRange: { date_from: '-180d' }, trendsFilter: { formula: 'A / B' } }) },
        { name: 'Time tracked', description: 'Hours since the beginning, cumulative.', columns: 6, query: trends([series('time entry added', sumOf('minutes'))], 'ActionsLineGraphCumulative', { interval: 'month', dateRange: { date_from: '-365d' } }) },
      ],
    },
    {
      name: 'Revenue',
      description: 'Plans, upgrades and cancellations.',
      tiles: [
        { name: 'Payments per week', description: 'By plan, in euros.', columns: 8, query: trends([series('payment succeeded', sumOf('amount'))], 'ActionsBar', { ...by('plan'), interval: 'week', dateRange: { date_from: '-270d' } }) },
        { name: 'Failed payments', description: 'In the last 30 days.', columns: 4, query: number([series('payment failed')]) },
        { name: 'Upgrades and downgrades', description: 'Per week.', columns: 6, query: trends([series('plan upgraded'), series('plan downgraded')], 'ActionsLineGraph', { interval: 'week', dateRange: { date_from: '-270d' } }) },
        { name: 'Why people cancel', description: 'Of the last 180 days.', columns: 6, query: trends([series('subscription canceled')], 'ActionsPie', { ...by('reason'), dateRange: { date_from: '-180d' } }) },
        { name: 'Largest customers', description: 'Companies by what they pay.', columns: 12, query: sql("select properties.plan as plan, count() as payments, round(sum(toFloat(properties.amount))) as euros from events where event = 'payment succeeded' and timestamp > now() - interval 180 day group by plan order by euros desc") },
      ],
    },
    healthDashboard('The outage, the bug in Safari, and what the assistant costs.'),
  ],
};
