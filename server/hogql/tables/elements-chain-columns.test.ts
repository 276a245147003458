import { expect, test } from 'vitest';
import { openTestApp, TEST_TOKEN } from '../../../test/support/test-app.ts';

test('A-7 links, texts, ids and tags of the clicked element and its parents are columns of events', async () => {
  const app = await openTestApp();
  const elements = [
    { tag_name: 'span', $el_text: 'Buy' },
    { tag_name: 'a', $el_text: 'Buy', attr__href: '/cart', attr__id: 'go', attr__class: 'big' },
    { tag_name: 'form', attr__id: 'shop' },
    { tag_name: 'div' },
  ];
  const body = {
    api_key: TEST_TOKEN,
    event: '$autocapture',
    distinct_id: 'ada',
    properties: { $elements: elements },
  };
  expect((await fetch(`${app.url}/e/`, { method: 'POST', body: JSON.stringify(body) })).status).toBe(200);
  const query = `select elements_chain_href, elements_chain_texts, elements_chain_ids, elements_chain_elements from events`;
  const { json } = await app.ask('/api/projects/1/query/', {
    method: 'POST',
    body: { query: { kind: 'HogQLQuery', query } },
  });
  expect(json.results).toEqual([['/cart', ['Buy'], ['go', 'shop'], ['a', 'form']]]);
});
