import {
  all, by, byPersons, did, experimentFlag, funnel, healthDashboard, lifecycle, number, paths, person, retention, rolloutFlag, series, sql, stickiness, sumOf, trends, type DemoContent,
} from './content.ts'; // prettier-ignore

/** Days of the story on which something happens; the annotations say what. */
export const APP_DAYS = {
  reminders: 98,
  featured: 147,
  outage: 196,
  speaking: 224,
  crash: 266,
  fix: 270,
  experiment: 308,
  resolutions: 336,
} as const;

// prettier-ignore
export const APP_CONTENT: DemoContent = {
  flags: [
    experimentFlag('yearly-plan-first', 'Experiment: the yearly plan comes first, so that more trials start'),
    rolloutFlag('reminders', 'A notification at the usual time of a lesson', 100),
    rolloutFlag('conversations', 'Conversations with a language model', 100),
    rolloutFlag('offline-lessons', 'Lessons without a network', 30, [person('plan', ['plus'])]),
    { ...rolloutFlag('old-player', 'The player of lessons before version 3', 100), isActive: false },
  ],
  survey: { name: 'How likely are you to recommend Wrensong?', question: 'How likely are you to recommend Wrensong to a friend?' },
  actions: [
    { name: 'Learned something', description: 'A completed lesson.', steps: [{ event: 'lesson completed' }] },
    { name: 'Paid', description: 'A new or renewed subscription.', steps: [{ event: 'subscription started' }, { event: 'subscription renewed' }] },
    { name: 'Opened the paywall', description: 'The screen with plans.', steps: [{ event: '$screen', properties: [{ type: 'event', key: '$screen_name', value: ['Plus'], operator: 'exact' }] }] },
  ],
  cohorts: [
    { name: 'Subscribers', description: 'Persons with Plus.', rule: all(person('plan', ['plus'])) },
    { name: 'Learned this week', description: 'Completed a lesson in the last 7 days.', rule: all(did('lesson completed', 7)) },
    { name: 'Spanish learners', description: 'The largest language.', rule: all(person('language', ['Spanish'])) },
    { name: 'In a trial', description: 'Decides soon.', rule: all(person('plan', ['trial'])) },
  ],
  annotations: [
    { day: APP_DAYS.reminders, text: 'Reminders released: more days with a lesson.' },
    { day: APP_DAYS.featured, text: 'App of the day: five times the usual installs.' },
    { day: APP_DAYS.outage, hour: 14, text: 'Outage of synchronization from 14:00 to 17:00 UTC.' },
    { day: APP_DAYS.speaking, text: 'Conversations with a language model released.' },
    { day: APP_DAYS.crash, text: 'Version 3.19: lessons crash on Android.' },
    { day: APP_DAYS.fix, text: 'Version 3.19.1 repairs lessons on Android.' },
    { day: APP_DAYS.experiment, text: 'Experiment "yearly-plan-first" begins with half of all learners.' },
    { day: APP_DAYS.resolutions, text: 'Campaign "ten-minutes": short videos of learners.' },
  ],
  dashboards: [
    {
      name: 'Wrensong overview',
      description: 'How the app is doing.',
      tiles: [
        { name: 'Active learners', description: 'Completed a lesson in the last 30 days.', columns: 3, query: number([series('lesson completed', byPersons)]) },
        { name: 'Installs', description: 'In the last 30 days.', columns: 3, query: number([series('Application Installed')]) },
        { name: 'New subscriptions', description: 'In the last 30 days.', columns: 3, query: number([series('subscription started')]) },
        { name: 'Score of recommendation', description: 'Average answer of the survey, from 0 to 10.', columns: 3, query: number([series('survey sent', { math: 'avg', math_property: '$survey_response' })]) },
        { name: 'Learners per week', description: 'Persons with a lesson.', columns: 8, query: trends([series('lesson completed', byPersons)], 'ActionsLineGraph', { interval: 'week', dateRange: { date_from: '-365d' } }) },
        { name: 'Languages', description: 'Lessons of the last 30 days.', columns: 4, query: trends([series('lesson completed')], 'ActionsPie', { ...by('language'), dateRange: { date_from: '-30d' } }) },
        { name: 'From install to subscription', description: 'Within 60 days.', columns: 6, query: funnel(['Application Installed', 'signed up', 'lesson completed', 'trial started', 'subscription started'], { days: 60, from: '-120d' }) },
        { name: 'Retention of new learners', description: 'Persons who signed up and learned on later days.', columns: 6, query: retention('signed up', 'lesson completed', 'Day', 11) },
      ],
    },
    {
      name: 'Acquisition',
      description: 'Where installs come from, and who stays for the first lesson.',
      tiles: [
        { name: 'Installs per day', description: 'The app of the day and the campaign are in the annotations.', columns: 12, query: trends([series('Application Installed')], 'ActionsAreaGraph', { dateRange: { date_from: '-240d' } }) },
        { name: 'Campaigns', description: 'Installs of the last 240 days.', columns: 6, query: trends([series('Application Installed')], 'ActionsBarValue', { ...by('utm_campaign'), dateRange: { date_from: '-240d' } }) },
        { name: 'Sources', description: 'Installs of the last 90 days.', columns: 6, query: trends([series('Application Installed')], 'ActionsTable', by('$referring_domain')) },
        { name: 'Countries', description: 'Installs of the last 90 days.', columns: 6, query: trends([series('Application Installed')], 'WorldMap', by('$geoip_country_code')) },
        { name: 'First lesson by system', description: 'From install, within a day.', columns: 6, query: funnel(['Application Installed', 'signed up', 'lesson completed'], { days: 1, ...by('$os') }) },
        { name: 'Paths through the app', description: 'Screens of the last 14 days.', columns: 12, query: paths('$screen', { startPoint: 'Welcome' }) },
      ],
    },
    {
      name: 'Habits',
      description: 'How often people learn, and what keeps them.',
      tiles: [
        { name: 'Growth accounting', description: 'New, returning, resurrecting and dormant learners.', columns: 6, query: lifecycle('lesson completed') },
        { name: 'Days with a lesson', description: 'Of the last 30 days.', columns: 6, query: stickiness('lesson completed') },
        { name: 'When people learn', description: 'Lessons by weekday and hour, UTC.', columns: 6, query: trends([series('lesson completed')], 'CalendarHeatmap') },
        { name: 'Scores of lessons', description: 'Their distribution per week.', columns: 6, query: trends([series('lesson completed', { math_property: 'score' })], 'BoxPlot', { interval: 'week' }) },
        { name: 'Lessons per learner', description: 'Per week.', columns: 6, query: trends([series('lesson completed'), series('lesson completed', byPersons)], 'ActionsLineGraph', { interval: 'week', dateRange: { date_from: '-365d' }, trendsFilter: { formula: 'A / B' } }) },
        { name: 'Streaks', description: 'Reached per week, by days.', columns: 6, query: trends([series('streak reached')], 'ActionsBar', { ...by('days'), interval: 'week' }) },
      ],
    },
    {
      name: 'Subscriptions',
      description: 'Trials, subscriptions and cancellations.',
      tiles: [
        { name: 'Experiment: yearly plan first', description: 'Paywall to trial, by variant. More trials start with it.', columns: 6, query: funnel(['paywall shown', 'trial started'], { days: 1, from: '-56d', ...by('$feature/yearly-plan-first') }) },
        { name: 'Trial to subscription', description: 'Within 30 days.', columns: 6, query: funnel(['trial started', 'subscription started'], { days: 30, from: '-180d', viz: 'trends', interval: 'month' }) },
        { name: 'Time to decide', description: 'From trial to subscription.', columns: 6, query: funnel(['trial started', 'subscription started'], { days: 30, viz: 'time_to_convert', from: '-180d' }) },
        { name: 'Revenue since the beginning', description: 'Cumulative, in euros.', columns: 6, query: trends([series('subscription started', sumOf('amount')), series('subscription renewed', sumOf('amount'))], 'ActionsLineGraphCumulative', { interval: 'month', dateRange: { date_from: '-365d' }, trendsFilter: { formula: 'A + B' } }) },
        { name: 'Plans', description: 'Subscriptions and ends of trials per month.', columns: 12, query: sql("select toStartOfMonth(timestamp) as month, countIf(event = 'trial started') as trials, countIf(event = 'subscription started') as subscriptions, countIf(event = 'subscription canceled') as canceled from events where event in ('trial started', 'subscription started', 'subscription canceled') group by month order by month") },
      ],
    },
    healthDashboard('The crash on Android, the outage, and what conversations cost.'),
  ],
};
