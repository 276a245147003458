import { describe, expect, test } from 'vitest';
import { askHogql } from '../../../test/support/ask-hogql.ts';
import { sendEvents, type SentEvent } from '../../../test/support/send-events.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { CHANNEL_LOOKUPS } from '../functions/channel-sources.ts';
import { CHANNEL_TYPES } from './channel-type.ts';

const GOOGLE = { $referring_domain: 'www.google.com' };
const TYPED = { $referring_domain: '$direct' };

/** What the first page of a visit says, and its channel. */
const CASES: readonly (readonly [title: string, properties: object, channel: string])[] = [
  ['a campaign across networks', { ...GOOGLE, utm_campaign: 'Cross-Network 7' }, 'Cross Network'],
  ['a gclid from a search engine', { ...GOOGLE, gclid: 'x' }, 'Paid Search'],
  ['a gad_source of 1', { ...TYPED, gad_source: '1' }, 'Paid Search'],
  ['another gad_source', { ...TYPED, gad_source: '5' }, 'Paid Unknown'],
  ['a gclid without anything else', { ...TYPED, gclid: 'x' }, 'Paid Unknown'],
  ['a gclid and an fbclid', { ...TYPED, gclid: 'x', fbclid: 'y' }, 'Paid Social'],
  ['a paid medium from a brand', { ...TYPED, utm_source: 'Facebook', utm_medium: 'CPC' }, 'Paid Social'],
  ['a paid medium from a site', { utm_source: 'ads.tiktok.com', utm_medium: 'paid_social' }, 'Paid Social'],
  ['a paid medium for a video', { utm_medium: 'cpv', utm_campaign: 'Intro Video' }, 'Paid Video'],
  ['a paid medium for a shop', { utm_medium: 'ppc', utm_campaign: 'eshop autumn' }, 'Paid Shopping'],
  ['a paid source before the words of a campaign', { utm_source: 'bing', utm_medium: 'cpc', utm_campaign: 'shop' }, 'Paid Search'],
  ['a workshop, which is no shop', { utm_medium: 'ppc', utm_campaign: 'workshop' }, 'Paid Unknown'],
  ['a banner that is paid by views', { utm_medium: 'cpm', utm_source: 'somewhere' }, 'Display'],
  ['a paid newsletter', { utm_source: 'newsletter', utm_medium: 'paid' }, 'Paid Unknown'],
  ['an address that was typed in', TYPED, 'Direct'],
  ['a source that says direct', { ...TYPED, utm_source: '(direct)' }, 'Direct'],
  ['typed in, with an fbclid', { ...TYPED, fbclid: 'y' }, 'Organic Social'],
  ['typed in, with an unknown source', { ...TYPED, utm_source: 'poster' }, 'Direct'],
  ['a search engine', GOOGLE, 'Organic Search'],
  ['a search engine of a country', { $referring_domain: 'www.google.co.uk' }, 'Organic Search'],
  ['a social site', { $referring_domain: 'l.facebook.com' }, 'Organic Social'],
  ['a source in capitals', { utm_source: 'LinkedIn' }, 'Organic Social'],
  ['the app of a social network', { $referring_domain: 'com.linkedin.android' }, 'Organic Social'],
  ['a video site', { $referring_domain: 'm.youtube.com' }, 'Organic Video'],
  ['a shopping site', { $referring_domain: 'www.etsy.com' }, 'Organic Shopping'],
  ['webmail of a search engine', { $referring_domain: 'mail.google.com' }, 'Email'],
  ['an assistant of a search engine', { $referring_domain: 'gemini.google.com' }, 'AI'],
  ['an assistant', { $referring_domain: 'chatgpt.com' }, 'AI'],
  ['an email', { ...TYPED, utm_medium: 'Email' }, 'Email'],
  ['a partner', { utm_medium: 'affiliate', utm_source: 'friend' }, 'Affiliate'],
  ['a podcast', { utm_medium: 'audio' }, 'Audio'],
  ['a text message', { utm_medium: 'sms' }, 'SMS'],
  ['a notification', { utm_medium: 'mobile' }, 'Push'],
  ['a medium that ends with push', { utm_medium: 'web-push' }, 'Push'],
  ['a medium of networks', { utm_medium: 'social media', utm_source: 'club' }, 'Organic Social'],
  ['a campaign with a video', { $referring_domain: 'blog.example', utm_campaign: 'videos' }, 'Organic Video'],
  ['another site', { $referring_domain: 'blog.example.org' }, 'Referral'],
  ['a site whose name contains that of another', { $referring_domain: 'notgoogle.com' }, 'Referral'],
  ['nothing at all', {}, 'Unknown'],
  ['empty texts and the text null', { utm_source: '', utm_medium: 'null', gclid: '', gad_source: 'null' }, 'Unknown'],
]; // prettier-ignore

function visit(at: number, properties: object): SentEvent {
  return {
    event: '$pageview',
    distinct_id: `visitor-${at}`,
    timestamp: '2026-11-02T10:00:00Z',
    properties: { $session_id: `s${at}`, $current_url: 'https://shop.test/', ...properties },
  };
}

/** The initial properties of a person that its first event leaves; of the domain too. */
function initialOf(properties: object): object {
  return Object.fromEntries(
    Object.entries(properties).map(([name, value]) => [`$initial_${name.replace('$', '')}`, value]),
  );
}

describe('the channel of a visit', () => {
  test('is derived by one rule, for sessions and for persons', async () => {
    const app = await openTestApp();
    await sendEvents(
      app,
      CASES.map(([, properties], at) => visit(at, { ...properties, $set_once: initialOf(properties) })),
    );
    const ask = async (text: string) => new Map((await askHogql(app, text)).results as [string, string][]);
    const sessions = await ask('select session_id, $channel_type from sessions');
    const persons = await ask(
      'select distinct_id, person.properties.$virt_initial_channel_type from events order by distinct_id',
    );
    for (const [at, [title, , channel]] of CASES.entries()) {
      expect([title, sessions.get(`s${at}`)]).toEqual([title, channel]);
      expect([title, persons.get(`visitor-${at}`)]).toEqual([title, channel]);
    }
    expect(new Set(CASES.map(([, , channel]) => channel))).toEqual(new Set(CHANNEL_TYPES));
  });

  test('of a session is that of its first page, whatever came before and after', async () => {
    const app = await openTestApp();
    const late = '2026-11-02T10:05:00Z';
    await sendEvents(app, [
      { ...visit(1, { gclid: 'x' }), event: 'opened', timestamp: '2026-11-02T09:59:00Z' },
      visit(1, GOOGLE),
      { ...visit(1, { utm_medium: 'email', fbclid: 'y' }), timestamp: late },
      { ...visit(2, { utm_medium: 'email' }), event: 'opened' },
    ]);
    const { results } = await askHogql(
      app,
      `select $channel_type, $entry_gclid, $entry_has_gclid, $entry_fbclid, $entry_has_fbclid, $is_bounce
       from sessions order by session_id`,
    );
    expect(results).toEqual([
      ['Organic Search', 'x', true, 'y', true, false],
      ['Email', null, false, null, false, null],
    ]);
    const without = await askHogql(app, `select session.$channel_type from events where event = 'none'`);
    expect(without.types).toEqual(['Nullable(String)']);
  });

  test('a site, a brand or an app has one kind only', () => {
    const names = CHANNEL_LOOKUPS['hogql_lookupDomainType']!.table.flatMap(([, all]) => all);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    expect(names.filter((name) => !/^[a-z0-9][a-z0-9.-]*$/.test(name))).toEqual([]);
  });
});
