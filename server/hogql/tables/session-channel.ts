/** SQL of the columns that show where a session came from; each may be NULL. */
interface Origin {
  source: string;
  medium: string;
  domain: string;
  paidClick: string;
}

/** The function that tests a text against a regular expression, by engine. */
const MATCHES = { duckdb: 'regexp_matches', clickhouse: 'match' } as const;

const SEARCH = '(^|[.])(google|bing|duckduckgo|yahoo|baidu|yandex|ecosia|qwant|startpage|search[.]brave)[.]';
const SOCIAL =
  '(^|[.])(facebook|instagram|twitter|linkedin|reddit|pinterest|tiktok|threads|bsky|mastodon|news[.]ycombinator)[.]|^(t[.]co|x[.]com)$';
const VIDEO = '(^|[.])(youtube|vimeo|twitch|dailymotion)[.]|^youtu[.]be$';

/** SQL for the channel of a session by the usual words of campaigns and the site before it. */
export function channelSql(
  { source, medium, domain, paidClick }: Origin,
  engine: keyof typeof MATCHES = 'duckdb',
): string {
  const matches = MATCHES[engine];
  const looksLike = (value: string, pattern: string): string =>
    `${matches}(lower(coalesce(${value}, '')), '${pattern}')`;
  const word = `lower(coalesce(${medium}, ''))`;
  const from = `lower(coalesce(${source}, ${domain}, ''))`;
  const isPaid = `(${paidClick} IS NOT NULL OR ${matches}(${word}, '^(cpc|cpm|cpv|cpa|ppc|retargeting|paid.*)$'))`;
  const is = (pattern: string): string => `(${looksLike(domain, pattern)} OR ${looksLike(source, pattern)})`;
  const isSearch = `(${is(SEARCH)} OR ${from} IN ('google', 'bing', 'duckduckgo', 'yahoo', 'baidu', 'yandex'))`;
  const isSocial = `(${is(SOCIAL)} OR ${word} IN ('social', 'sm', 'social-media') OR ${from} IN ('facebook', 'instagram', 'twitter', 'linkedin', 'reddit', 'pinterest', 'tiktok'))`;
  const isVideo = `(${is(VIDEO)} OR ${word} = 'video' OR ${from} = 'youtube')`;
  return `CASE
    WHEN ${isPaid} AND (${isSearch} OR ${paidClick} IS NOT NULL) THEN 'Paid Search'
    WHEN ${isPaid} AND ${isSocial} THEN 'Paid Social'
    WHEN ${isPaid} AND ${isVideo} THEN 'Paid Video'
    WHEN ${isPaid} THEN 'Paid Unknown'
    WHEN ${from} = 'email' OR ${word} IN ('email', 'e-mail', 'newsletter') THEN 'Email'
    WHEN ${word} = 'affiliate' THEN 'Affiliate'
    WHEN ${word} = 'sms' THEN 'SMS'
    WHEN ${word} = 'push' THEN 'Push'
    WHEN ${isSearch} THEN 'Organic Search'
    WHEN ${isSocial} THEN 'Organic Social'
    WHEN ${isVideo} THEN 'Organic Video'
    WHEN ${from} IN ('', '$direct') AND ${word} = '' THEN 'Direct'
    WHEN coalesce(${domain}, '$direct') <> '$direct' THEN 'Referral'
    ELSE 'Unknown' END`;
}
