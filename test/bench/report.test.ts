import { describe, expect, test } from 'vitest';
import { compareWithBars } from './bars.mjs';
import { replaceFigures } from './report.mjs';
import { median, percentile } from './statistics.mjs';

describe('figures', () => {
  test('are medians; of two values the average', () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  test('are percentiles by nearest rank', () => {
    const values = Array.from({ length: 100 }, (_, n) => n + 1);
    expect(percentile(values, 0.5)).toBe(51);
    expect(percentile(values, 0.99)).toBe(100);
    expect(percentile([7], 0.99)).toBe(7);
  });

  test('at the limit count as met, beyond it as not', () => {
    const startUp = { startMs: 700 };
    expect(compareWithBars({ cases: [], startUp })[0]).toMatchObject({ measured: '700 ms', isMet: true });
    startUp.startMs = 701;
    expect(compareWithBars({ cases: [], startUp })[0]).toMatchObject({ isMet: false });
  });
});

describe('docs/performance.md', () => {
  test('has new figures between its markers, and the rest is unchanged', () => {
    const page = 'before\n<!-- bench:start -->\nold\n<!-- bench:end -->\nafter\n';
    expect(replaceFigures(page, 'new')).toBe(
      'before\n<!-- bench:start -->\n\nnew\n\n<!-- bench:end -->\nafter\n',
    );
  });

  test('without markers is refused rather than overwritten', () => {
    expect(() => replaceFigures('no markers', 'new')).toThrow('bench:start');
  });
});
