import { expect, test } from 'vitest';
import { capture, json, namesOf, PROPERTIES } from '../../../test/support/app-definitions.ts';
import { openTestApp } from '../../../test/support/test-app.ts';
import { isVirtual } from '../../hogql/tables/table.ts';

const OF_PERSONS = [
  '$virt_initial_channel_type',
  '$virt_initial_referring_domain_type',
  '$virt_revenue',
  '$virt_mrr',
];
const OF_EVENTS = [
  '$virt_is_bot',
  '$virt_traffic_type',
  '$virt_traffic_category',
  '$virt_bot_name',
  '$virt_bot_operator',
];

async function openListed() {
  const app = await openTestApp();
  await capture(app, { event: 'signed up', properties: { plan: 'pro', $set: { name: 'Ada' } } });
  const page = async (query: string) => (await app.ask(`${PROPERTIES}?${query}`)).json;
  const virtual = async (query: string) =>
    namesOf((await page(query)).results as { name: string }[]).filter(isVirtual);
  return { page, virtual };
}

test('virtual properties end the list of definitions, with a type and a description', async () => {
  const { page, virtual } = await openListed();
  expect(await virtual('type=event')).toEqual(OF_EVENTS);
  expect(await virtual('type=person')).toEqual(OF_PERSONS);
  expect(await virtual('type=group&group_type_index=0')).toEqual(['$virt_revenue', '$virt_mrr']);
  expect(await virtual('type=session')).toEqual([]);
  const { results } = await page('type=event');
  expect(results.findIndex(({ name }: { name: string }) => name === '$virt_is_bot')).toBe(results.length - 5);
  expect(results.at(-5)).toEqual({
    id: '$builtin_$virt_is_bot',
    name: '$virt_is_bot',
    description: expect.stringContaining('program'),
    tags: [],
    is_numerical: false,
    is_seen_on_filtered_events: null,
    property_type: 'Boolean',
    virtual: true,
  });
  const all = [...results, ...(await page('type=person')).results].filter(({ name }) => isVirtual(name));
  expect(all.filter(({ description }) => description === '')).toEqual([]);
});

test('pages hold as many properties as they should, virtual ones after the others', async () => {
  const { page } = await openListed();
  const whole = await page('type=person');
  expect(whole.count).toBe(whole.results.length);
  const parts = [];
  let next: string | null = `type=person&limit=2`;
  while (next !== null) {
    const part: { results: unknown[]; next: string | null } = await page(next);
    expect(part.results.length).toBeLessThanOrEqual(2);
    parts.push(...part.results);
    next = part.next?.split('?')[1] ?? null;
  }
  expect(parts).toEqual(whole.results);
});

test('filters of the list hold for virtual properties too', async () => {
  const { virtual } = await openListed();
  expect(await virtual('type=person&search=CHANNEL+type')).toEqual(['$virt_initial_channel_type']);
  expect(await virtual('type=person&is_numerical=true')).toEqual(['$virt_revenue', '$virt_mrr']);
  expect(await virtual('type=event&properties=plan,$virt_bot_name')).toEqual(['$virt_bot_name']);
  expect(await virtual(`type=person&excluded_properties=${json(OF_PERSONS.slice(1))}`)).toEqual([
    OF_PERSONS[0],
  ]);
  for (const none of ['exclude_core_properties=true', 'is_feature_flag=true', 'verified=true', 'hidden=true'])
    expect(await virtual(`type=event&${none}`)).toEqual([]);
  expect(await virtual('type=event&exclude_hidden=true')).toEqual(OF_EVENTS);
});
