import { describe, expect, test } from 'vitest';
import { PERCENT, PLAIN, valueFormat } from './value-format.ts';

describe('numbers of an axis', () => {
  test.each([
    ['without settings', {}, 41_280, '41.3k', '41,280'],
    ['of a currency', { format: 'currency', prefix: '€' }, 41_280, '€41.3k', '€41,280.00'],
    ['of a currency by its code', { format: 'currency', prefix: 'NOK' }, 40, 'NOK 40', 'NOK 40.00'],
    ['below zero, with the sign first', { prefix: '$' }, -5, '−$5', '−$5'],
    ['with a postfix and decimals', { postfix: ' ms', decimals: 1 }, 3.14, '3.1 ms', '3.1 ms'],
    ['with decimals in any case', { minDecimals: 2, decimals: 2 }, 3, '3.00', '3.00'],
    ['in percent', { format: 'percentage' }, 30.6, '30.6%', '30.6%'],
    ['as shares of one', { format: 'percentage_scaled' }, 0.306, '30.6%', '30.6%'],
    ['in seconds', { format: 'duration' }, 11_520, '3 h', '3 h 12 min'],
    ['in milliseconds', { format: 'duration_ms' }, 420, '420 ms', '420 ms'],
  ])('%s are short beside it and full in tooltips', (_, settings, value, tick, full) => {
    const format = valueFormat(settings);
    expect([format.tick(value), format.full(value)]).toEqual([tick, full]);
  });

  test('become more or less by percent, and rates by percentage points', () => {
    expect(PLAIN.change(1063, 1000)).toBe('+6.3%');
    expect(PLAIN.change(986, 1000)).toBe('−1.4%');
    expect(PLAIN.change(5, 0)).toBeNull();
    expect(PERCENT.change(30.6, 31)).toBe('−0.4 pp');
    expect(PERCENT.change(5, 0)).toBe('+5 pp');
    expect(valueFormat({ format: 'percentage_scaled' }).change(0.5, 0.25)).toBe('+25 pp');
  });
});
