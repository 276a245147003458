import { expect, test } from 'vitest';
import { askTrend, openModelApp } from '../../../../../test/support/trends-model.ts';

test('M9.9 URLs are normalized to their path, when requested', async () => {
  const urls = ['/shoes', '/shoes/', '/shoes?', '/shoes/#', '/', '/?x=1'];
  const app = await openModelApp(
    urls.map((url) => ({
      event: 'seen',
      who: 'lin',
      at: '2026-11-19T12:00:00Z',
      properties: { url: `https://a.test${url}` },
    })),
  );
  const ask = async (breakdown_normalize_url: boolean) => {
    const query = {
      series: [{ kind: 'EventsNode', event: 'seen' }],
      breakdownFilter: { breakdown: 'url', breakdown_normalize_url },
    };
    return (await askTrend(app, query)).results.map(({ label, count }) => [label, count]);
  };
  expect(await ask(true)).toEqual([
    ['https://a.test/shoes', 4],
    ['https://a.test', 1],
    ['https://a.test/?x=1', 1],
  ]);
  expect(await ask(false)).toHaveLength(urls.length);
});

test('M9.9 an invalid breakdown is refused', async () => {
  const app = await openModelApp([]);
  const refused: [filter: object, detail: string][] = [
    [{ breakdown: 'x', breakdown_type: 'planet' }, 'type planet'],
    [{ breakdown: 'x', breakdown_type: 'group' }, 'group_type_index'],
    [{ breakdown: 'x', breakdown_histogram_bin_count: 1000 }, '1 to 100 bins'],
    [{ breakdowns: ['a', 'b', 'c', 'd'].map((property) => ({ property })) }, 'up to 3 breakdowns'],
    [{ breakdowns: [{ property: 'a' }, { property: 7, type: 'cohort' }] }, 'cannot be combined'],
    [{ breakdown: 'sum(', breakdown_type: 'hogql' }, 'Unclosed "("'],
  ];
  for (const [breakdownFilter, detail] of refused) {
    await expect(
      askTrend(app, { series: [{ kind: 'EventsNode', event: 'bought' }], breakdownFilter }),
    ).rejects.toThrow(detail);
  }
});
