import { ExactNumber, isJsonObject } from '../../../lib/exact-number.contract.ts';

/** Texts that makers of exports write for nothing. */
const NOTHING = new Set([
  '',
  'EMPTY',
  '(not set)',
  '(not provided)',
  '-',
  'NULL',
  'null',
  '\\N',
  'undefined',
]);

/** The text of a value; empty for none. */
export function text(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return value instanceof ExactNumber ? value.text : '';
}

/** The same, and empty for what only says that there is nothing. */
export function known(value: unknown): string {
  const found = text(value);
  return NOTHING.has(found) ? '' : found;
}

/** An object, also one that is written as a text; else an empty one. */
export function object(value: unknown): Record<string, unknown> {
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string' || !value.trimStart().startsWith('{')) return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

export function list(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== 'string' || !value.trimStart().startsWith('[')) return [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

/** Without the members that hold nothing. */
export function filled(properties: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null) continue;
    if (typeof value === 'string' && NOTHING.has(value)) continue;
    if (isJsonObject(value) && Object.keys(value).length === 0) continue;
    if (name !== '__proto__') kept[name] = value;
  }
  return kept;
}

/** What an address says: PostHog's properties of a page. */
export function pageOf(url: string): Record<string, unknown> {
  if (!URL.canParse(url)) return url === '' ? {} : { $current_url: url };
  const { host, pathname, searchParams } = new URL(url);
  const campaign = Object.fromEntries([...searchParams].filter(([name]) => /^utm_\w+$/.test(name)));
  return { $current_url: url, $host: host, $pathname: pathname, ...campaign };
}

/** Where a visit came from; PostHog writes `$direct` where it came from nowhere. */
export function referrerOf(url: string): Record<string, unknown> {
  if (url === '') return { $referrer: '$direct', $referring_domain: '$direct' };
  return { $referrer: url, ...(URL.canParse(url) && { $referring_domain: new URL(url).host }) };
}

const DEVICES: Readonly<Record<string, string>> = {
  smartphone: 'Mobile',
  phablet: 'Mobile',
  phone: 'Mobile',
  mobile: 'Mobile',
  laptop: 'Desktop',
  desktop: 'Desktop',
  tablet: 'Tablet',
};

export function deviceType(word: string): string {
  return DEVICES[word.toLowerCase()] ?? word;
}

const BROWSERS: readonly [RegExp, string][] = [
  [/Edg(?:e|A|iOS)?\/(\d+)/, 'Microsoft Edge'],
  [/(?:OPR|Opera)\/(\d+)/, 'Opera'],
  [/SamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/(?:Chrome|CriOS)\/(\d+)/, 'Chrome'],
  [/Version\/(\d+)[\d.]*.* Safari\//, 'Safari'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/iPhone|iPad|iPod/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac OS X'],
  [/CrOS/, 'Chrome OS'],
  [/Linux/, 'Linux'],
];

/** Browser, system and device by the usual words of a user agent. */
export function agentOf(agent: string): Record<string, unknown> {
  if (agent === '') return {};
  const browser = BROWSERS.find(([pattern]) => pattern.test(agent));
  const version = browser?.[0].exec(agent)?.[1];
  const isTablet = /iPad|Tablet/.test(agent) || (/Android/.test(agent) && !/Mobile/.test(agent));
  const device = isTablet ? 'Tablet' : /Mobi|iPhone|iPod/.test(agent) ? 'Mobile' : 'Desktop';
  return filled({
    $raw_user_agent: agent,
    $browser: browser?.[1],
    $browser_version: version === undefined ? undefined : Number(version),
    $os: SYSTEMS.find(([pattern]) => pattern.test(agent))?.[1],
    $device_type: browser === undefined ? undefined : device,
  });
}

/** Words that robots call themselves by. */
const ROBOT =
  /bot\b|bot\/|crawl|spider|slurp|feed|curl\/|wget|libwww|python-|java\/|go-http|monitor|uptime|preview|scrapy|headless|axios|okhttp|node-fetch/i;

export function isRobot(agent: string): boolean {
  return agent === '' || ROBOT.test(agent);
}
