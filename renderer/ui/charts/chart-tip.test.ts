import { describe, expect, test } from 'vitest';
import { tipAt, type TipSource } from './chart-tip.ts';
import { PERCENT, PLAIN } from './value-format.ts';

const line = (id: string, values: number[]) => ({ id, name: id, slot: 1, values });
const before = (id: string, values: number[], places?: string[]) => ({
  ...line(`${id} before`, values),
  name: id,
  previousOf: id,
  places,
});
const at = (index: number, series: TipSource['series'], more: Partial<TipSource> = {}) =>
  tipAt({
    index,
    series,
    heldId: series[0]?.id ?? null,
    label: 'Tue 10 Nov 2026',
    format: PLAIN,
    noun: 'events',
    previousName: 'previous 30 days',
    canAddUp: true,
    isUnfinished: false,
    action: '',
    notes: [],
    ...more,
  });

describe('the tooltip of a chart', () => {
  test('lists all series, the largest first, with the total of those that add up', () => {
    const tip = at(0, [line('Solo', [2]), line('Free', [7])]);
    expect(tip.rows.map(({ name, value, isHeld }) => [name, value, isHeld])).toEqual([
      ['Free', '7', false],
      ['Solo', '2', true],
    ]);
    expect([tip.head, tip.aside, tip.total]).toEqual([
      'Tue 10 Nov 2026',
      'events',
      { value: '9 events', change: null },
    ]);
    expect(at(0, [line('a', [1]), line('b', [2])], { canAddUp: false }).total).toBeNull();
  });

  test('has the change of each series against the compared period, whose date it names', () => {
    const compared = ['Sun 11 Oct 2026'];
    const tip = at(0, [
      line('Free', [8]),
      before('Free', [4], compared),
      line('Solo', [1]),
      before('Solo', [2], compared),
    ]);
    expect(tip.aside).toBe('vs. Sun 11 Oct 2026');
    expect(tip.rows.map(({ name, change }) => [name, change])).toEqual([
      ['Free', '+100%'],
      ['Solo', '−50%'],
    ]);
    expect(tip.total).toEqual({ value: '9 events', change: '+50%' });
  });

  test('of one compared series has a row for each date', () => {
    const tip = at(0, [line('sent', [983]), before('sent', [823], ['Tue 6 Oct 2026'])]);
    expect([tip.head, tip.aside]).toEqual(['sent', 'vs. previous 30 days']);
    expect(tip.rows.map(({ name, value, change }) => [name, value, change])).toEqual([
      ['Tue 10 Nov 2026', '983', '+19.4%'],
      ['Tue 6 Oct 2026', '823', null],
    ]);
  });

  test('leaves out a compared period that is shorter than the chart', () => {
    const tip = at(1, [line('sent', [9, 8]), before('sent', [7])]);
    expect(tip.rows.map(({ name }) => name)).toEqual(['sent']);
  });

  test('compares rates by percentage points', () => {
    const series = [line('Web', [30.6]), before('Web', [31]), line('Mobile', [22]), before('Mobile', [22])];
    expect(at(0, series, { format: PERCENT, noun: '' }).rows.map(({ change }) => change)).toEqual([
      '−0.4 pp',
      '0 pp',
    ]);
  });

  test('of many series lists the largest and the held one, and counts the others', () => {
    const series = Array.from({ length: 25 }, (_, rank) => line(`v${rank}`, [100 - rank]));
    const tip = at(0, series, { heldId: 'v24' });
    expect([tip.rows.length, tip.more, tip.rows.at(-1)!.name]).toEqual([14, 11, 'v24']);
  });

  test('says that an interval is not over, and what a click does', () => {
    const tip = at(0, [line('sent', [1])], { isUnfinished: true, action: 'Click to see persons' });
    expect(tip.feet).toEqual(['This interval is still in progress.', 'Click to see persons']);
  });
});
