/** What PostHog's web analytics asks: sessions by when they began, with their pages, sources and goals. */
export { webExternalClicksKind, webPageUrlsKind } from './addresses.ts';
export { webGoalsKind } from './goals.ts';
export { webOverviewKind } from './overview.ts';
export { webStatsTableKind } from './stats-table.ts';
export { webVitalsKind, webVitalsPathsKind } from './vitals.ts';
