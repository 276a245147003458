import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';

const DAY = 86_400_000;

/** Two weeks of a shop: four visitors, of whom two sign up and one pays. */
export function shopEvents(now: number): object[] {
  const event = (name: string, user: string, daysAgo: number, properties: object = {}) => ({
    event: name,
    timestamp: new Date(now - daysAgo * DAY).toISOString(),
    properties: { distinct_id: user, ...properties },
  });
  return [
    ...['ada', 'bob', 'cy', 'dee'].map((user) => event('visit', user, 3, { page: '/' })),
    event('visit', 'ada', 1),
    event('visit', 'ada', 9),
    event('signup', 'ada', 2, { plan: 'pro' }),
    event('signup', 'bob', 2, { plan: 'free' }),
    event('paid', 'ada', 1, { amount: 42.5, plan: 'pro' }),
    event('$identify', 'ada', 1, { $set: { email: 'ada@example.com', plan: 'pro' } }),
  ];
}

/** The text of a tool's result. Throws an Error with that text when the tool has failed. */
export async function callTool(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: args });
  const text = (content as { text: string }[]).map((one) => one.text).join('\n');
  if (isError) throw new Error(text);
  return text;
}

/** Calls the API as the owner: GET without a body. */
export type AskApi = (path: string, body?: object) => Promise<any>;

const P = '/api/projects/@current';

/** Asks ten everyday questions about the shop, and the API the same: the numbers are equal. */
export async function expectSameNumbers(client: Client, api: AskApi): Promise<void> {
  const query = async (node: object) => await api(`${P}/query/`, { query: node });
  const series = (...events: string[]) => events.map((event) => ({ kind: 'EventsNode', event }));
  const dateRange = { date_from: '-7d' };
  /** The lines of CSV, without the texts around them. */
  const csv = (text: string): string[][] => text.split('\n').map((line) => line.split(','));

  // 1. Which events are there?
  const events = (await api(`${P}/event_definitions/`)).results.map((one: { name: string }) => one.name);
  const listed = (await callTool(client, 'event-definitions-list')).split('\n');
  expect(listed.map((line) => JSON.parse(line).name).toSorted()).toEqual(events.toSorted());

  // 2. How often did each event happen?
  const statement = 'select event, count() from events group by event order by event';
  const { results: counts } = await query({ kind: 'HogQLQuery', query: statement });
  const rows = csv(await callTool(client, 'execute-sql', { query: statement })).slice(1, counts.length + 1);
  expect(rows.map(([event, count]) => [event, Number(count)])).toEqual(counts);

  // 3. How many visits were there on each day of the last week?
  const [visits] = (await query({ kind: 'TrendsQuery', series: series('visit'), dateRange })).results;
  const trend = await callTool(client, 'query-trends', { series: [{ event: 'visit' }] });
  for (const [at, day] of visits.days.entries()) expect(trend).toContain(`${day},${visits.data[at]}\n`);
  expect(trend).toContain(`total ${visits.count}`);

  // 4. How many persons visited in all?
  const math = { math: 'dau' };
  const display = 'BoldNumber';
  const { results: persons } = await query({
    kind: 'TrendsQuery',
    series: series('visit').map((one) => ({ ...one, ...math })),
    dateRange,
    trendsFilter: { display },
  });
  const total = await callTool(client, 'query-trends', { series: [{ event: 'visit', ...math }], display });
  expect(total).toMatch(new RegExp(`^█+ ${persons[0].aggregated_value} visit\\n`));

  // 5. Which plans do they choose?
  const breakdownFilter = { breakdown: 'plan', breakdown_type: 'event' };
  const { results: plans } = await query({
    kind: 'TrendsQuery',
    series: series('signup'),
    dateRange,
    breakdownFilter,
  });
  const chosen = await callTool(client, 'query-trends', { series: [{ event: 'signup' }], breakdown: 'plan' });
  for (const { label, count } of plans)
    expect(chosen).toMatch(new RegExp(`^${label}: .* total ${count}\\)$`, 'm'));

  // 6. Where are they lost on the way to paying?
  const steps = series('visit', 'signup', 'paid');
  const { results: funnel } = await query({ kind: 'FunnelsQuery', series: steps, dateRange });
  const drawn = await callTool(client, 'query-funnel', { series: steps.map(({ event }) => ({ event })) });
  for (const { order, count, name } of funnel) expect(drawn).toContain(` ${count} ${order + 1}. ${name}, `);
  expect(drawn).toContain('25 % of the first step');

  // 7. Do they come back?
  const entity = { id: 'visit', type: 'events' };
  const retentionFilter = { period: 'Day', totalIntervals: 5, targetEntity: entity, returningEntity: entity };
  const { results: cohorts } = await query({ kind: 'RetentionQuery', retentionFilter });
  const back = csv(
    await callTool(client, 'query-retention', { target_event: 'visit', period: 'Day', intervals: 5 }),
  );
  for (const [at, { values }] of cohorts.entries())
    expect(back[at + 1]!.slice(1).map(Number.parseFloat)).toEqual(
      values.map(({ count }: { count: number }) => count),
    );

  // 8. Who is this user, and what did they do?
  const [person] = (await api(`${P}/persons/?distinct_id=ada`)).results;
  const read = await callTool(client, 'person-get', { id: 'ada' });
  expect(JSON.parse(read.split('\n')[0]!)).toMatchObject({
    uuid: person.uuid,
    properties: person.properties,
  });
  expect(read).toContain('"count":6');

  // 9. What was the last payment?
  const [payment] = (await api(`${P}/events/?event=paid`)).results;
  const last = JSON.parse(await callTool(client, 'events-list', { event: 'paid' }));
  expect(last).toMatchObject({ timestamp: payment.timestamp, properties: JSON.parse(payment.properties) });

  // 10. Which plans have persons?
  const values = await api(`${P}/persons/values/?key=plan`);
  const shown = await callTool(client, 'property-values', { type: 'person', property: 'plan' });
  expect(shown.split('\n').map((line) => JSON.parse(line))).toEqual(values);
}
