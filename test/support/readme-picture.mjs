#!/usr/bin/env node
// node test/support/readme-picture.mjs: takes the picture of the README, a dashboard over generated events, from the built server.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { findBrowser } from '../../scripts/chromium.mjs';

const PICTURE = 'docs/images/dashboard.png';
const SIZE = { width: 1440, height: 840 };
const DAYS = 35;
const DAY_MS = 86_400_000;
const PLANS = ['free', 'free', 'free', 'solo', 'solo', 'studio'];
const COUNTRIES = [
  ['DE', 'Germany'],
  ['US', 'United States'],
  ['US', 'United States'],
  ['GB', 'United Kingdom'],
  ['FR', 'France'],
  ['BR', 'Brazil'],
  ['IN', 'India'],
  ['AU', 'Australia'],
];

const serve = [
  'dist/server/main.js',
  'serve',
  '--ephemeral',
  '--port',
  '0',
  '--json',
  '--log-level',
  'error',
];
const server = spawn(process.execPath, serve, { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(createInterface(server.stdout), 'line');
const { url, consoleUrl, projectId, projectApiKey, personalApiKey } = JSON.parse(line);
const browser = await chromium.launch({ executablePath: findBrowser() ?? undefined, args: ['--no-sandbox'] });
try {
  await capture(generateEvents());
  const id = await createDashboard();
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light' });
  await page.goto(consoleUrl);
  await page.getByRole('navigation').first().waitFor();
  await page.goto(`${url}/project/${projectId}/dashboards/${id}`);
  await page.getByText('Countries').waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: PICTURE, animations: 'disabled' });
  console.log(`${PICTURE}: ${SIZE.width} x ${SIZE.height}`);
} finally {
  await browser.close();
  server.kill();
}

/** The same numbers in every run. */
function createRandom() {
  let state = 20_261_126;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Five weeks of an invoicing product that grows, with quiet weekends. */
function generateEvents() {
  const random = createRandom();
  const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const events = [];
  for (let day = DAYS; day > 0; day -= 1) {
    const start = midnight - day * DAY_MS;
    const isWeekend = [0, 6].includes(new Date(start).getUTCDay());
    const active = (isWeekend ? 45 : 90) * (1 + (DAYS - day) / 40) * (0.9 + random() / 5);
    for (let visit = 0; visit < active; visit += 1) {
      const user = Math.floor(random() ** 1.5 * (260 + (DAYS - day) * 12));
      let time = start + 6 * 3_600_000 + random() * 15 * 3_600_000;
      const [code, country] = COUNTRIES[Math.floor(user / 3) % COUNTRIES.length];
      const plan = PLANS[Math.floor(user / 10) % PLANS.length];
      const send = (event, properties = {}) => {
        time += 20_000 + random() * 240_000;
        const place = { $geoip_country_code: code, $geoip_country_name: country, $geoip_disable: true };
        const named = { distinct_id: `user-${user}`, timestamp: new Date(time).toISOString() };
        events.push({ event, ...named, properties: { plan, ...place, ...properties } });
      };
      send('$pageview', { $current_url: 'https://reyes-studio.example/' });
      if (user % 10 > 6 || random() > 0.9) continue;
      send('invoice created');
      if (user % 10 > 5 || random() > 0.8) continue;
      send('invoice sent');
      if (user % 10 < 4 && random() < 0.7) send('invoice paid', { amount: 40 + Math.floor(random() * 360) });
    }
  }
  return events;
}

async function capture(events) {
  for (let from = 0; from < events.length; from += 1_000)
    await ask('/batch/', { api_key: projectApiKey, batch: events.slice(from, from + 1_000) });
}

async function createDashboard() {
  const P = `/api/projects/${projectId}`;
  const { id } = await ask(`${P}/dashboards/`, { name: 'Weekly health', pinned: true });
  /** Whole days: today would be a drop at the end of each line. */
  const until = (days) => ({ date_from: `-${days}d`, date_to: '-1d' });
  const node = (event, more = {}) => ({ kind: 'EventsNode', event, ...more });
  const trend = (days, series, display, more = {}) => ({
    kind: 'TrendsQuery',
    series,
    dateRange: until(days),
    trendsFilter: { display },
    ...more,
  });
  const compared = { compareFilter: { compare: true } };
  const users = node('$pageview', { math: 'dau' });
  const paid = node('invoice paid', { math: 'sum', math_property: 'amount' });
  const by = (breakdown) => ({ breakdownFilter: { breakdown, breakdown_type: 'event' } });
  const steps = ['$pageview', 'invoice created', 'invoice sent', 'invoice paid'].map((event) => node(event));
  const funnel = { kind: 'FunnelsQuery', series: steps, dateRange: until(30) };
  const tiles = [
    [0, 0, 4, 3, 'Active users', trend(7, [users], 'BoldNumber', compared)],
    [4, 0, 4, 3, 'Invoices sent', trend(7, [node('invoice sent')], 'BoldNumber', compared)],
    [8, 0, 4, 3, 'Paid, EUR', trend(7, [paid], 'BoldNumber', compared)],
    [0, 3, 8, 5, 'Invoices by day', trend(30, steps.slice(1), 'ActionsLineGraph')],
    [8, 3, 4, 5, 'By plan', trend(30, [node('invoice sent')], 'ActionsPie', by('plan'))],
    [0, 8, 6, 5, 'From visit to payment', funnel],
    [6, 8, 6, 5, 'Countries', trend(30, [users], 'WorldMap', by('$geoip_country_code'))],
  ];
  const layouts = [];
  for (const [x, y, w, h, name, source] of tiles) {
    const query = { kind: 'InsightVizNode', source };
    const insight = await ask(`${P}/insights/`, { name, saved: true, query });
    layouts.push({ insight: insight.id, layouts: { sm: { x, y, w, h } } });
  }
  await ask(`${P}/dashboards/${id}/`, { tiles: layouts }, true);
  const note = { content: 'v2 released', date_marker: new Date(Date.now() - 12 * DAY_MS).toISOString() };
  await ask(`${P}/annotations/`, { ...note, scope: 'project' });
  return id;
}

async function ask(path, body, isChange = false) {
  const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${personalApiKey}` };
  const response = await fetch(url + path, {
    method: isChange ? 'PATCH' : 'POST',
    headers,
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return await response.json();
}
