import type { AskOptions } from '../support/ask-hogql.ts';
import { sendEvents } from '../support/send-events.ts';
import type { TestApp } from '../support/test-app.ts';

const PLANS = ['pro', 'free', 'Team', '', 'é', null];
const NAMES = ['$pageview', 'bought', 'signed up', '$autocapture', '$screen'];
const BROWSERS = ['Firefox', 'Safari', 'Chrome', undefined];
const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:131.0) Gecko/20100101 Firefox/131.0',
  'Mozilla/5.0 (compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'curl/8.5.0',
  '',
  'Mozilla/5.0 (compatible; GOOGLEBOT/2.1)',
];
/** Where visits came from: sites, campaigns, advertisements, nothing. */
const ORIGINS: readonly object[] = [
  { $referring_domain: 'www.google.com' },
  { $referring_domain: '$direct' },
  { $referring_domain: 'news.example.co.uk', utm_campaign: 'eshop' },
  { utm_source: 'Facebook', utm_medium: 'CPC', fbclid: 'f' },
  { $referring_domain: '$direct', gclid: 'g', gad_source: '1' },
  { utm_medium: 'e-mail', utm_source: '', utm_campaign: 'null' },
  { $referring_domain: 'mail.google.com', utm_campaign: 'Video' },
  {},
  { $referring_domain: 'gemini.google.com' },
  { utm_medium: 'web-push', utm_term: 'é', $external_click_url: 'https://partner.test/a' },
];

/** Types of properties as their definitions would have them. */
export const JUDGED_TYPES: NonNullable<AskOptions['propertyType']> = (kind, name) =>
  name === 'n' || name === 'price' || name === 'age'
    ? 'Numeric'
    : name === 'paid'
      ? 'Boolean'
      : name === 'due'
        ? 'DateTime'
        : null;

/** 120 events of 12 persons over three weeks of November 2026, with missing values, empty texts, fractions and groups. */
export async function sendJudgedEvents(app: TestApp): Promise<void> {
  const events = Array.from({ length: 120 }, (_, n) => {
    const person = (n * 7) % 12;
    const plan = PLANS[n % PLANS.length];
    const browser = BROWSERS[(n * 3 + Math.floor(n / 8)) % BROWSERS.length];
    return {
      event: NAMES[(n * 3) % NAMES.length]!,
      distinct_id: `user-${person}`,
      timestamp: new Date(Date.UTC(2026, 10, 1, 3) + n * 4 * 3_600_000 + n * 137_000).toISOString(),
      properties: {
        ...(n % 4 === 0 ? {} : { n: n % 11 }),
        ...(n % 3 === 0 ? {} : { price: (n % 9) * 1.25 }),
        ...(plan === undefined ? {} : { plan }),
        ...(browser === undefined ? {} : { $browser: browser }),
        ...(n % 5 === 0 ? {} : { paid: n % 2 === 0 }),
        ...ORIGINS[(n * 7) % ORIGINS.length],
        ...(n % 7 === 0 ? {} : { $raw_user_agent: AGENTS[n % AGENTS.length] }),
        $session_id: `s-${person}-${Math.floor(n / 24)}`,
        $pathname: `/${n % 6}`,
        $current_url: `https://shop.test/${n % 6}`,
        ...(n % 6 === 0 ? { $groups: { company: `c${person % 3}` } } : {}),
        ...(n < 24 ? { $set: { age: 20 + person, email: `u${person}@shop.test` } } : {}),
      },
    };
  });
  await sendEvents(app, events);
}

/** Two days after the last of them, in Unix milliseconds. */
export const JUDGED_NOW = Date.UTC(2026, 10, 22, 9, 30);
